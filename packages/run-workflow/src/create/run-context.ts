import type { RunManifest } from '@bailiwick/dispatch-state';
import { type DocumentCodec, defineDocument, readDocument, writeDocument } from '@bailiwick/durable-files';
import { RunContextV1 } from './run-context-v1.ts';

/** `run-context.json`: what goes with a run beside its manifest. */
export interface RunContext {
  readonly schemaVersion: '1.0';
  /** What the report is to be translated into, e.g. `de`; null where the run has no translator. */
  readonly translationLanguage: string | null;
  /** The weakest source of a served model's name that the run accepts; null: any. */
  readonly minimumModelSource: 'wire' | 'stream' | 'transcript' | null;
  /** What whoever started the run let it cost, in US dollars; absent where they said nothing of it. */
  readonly maxCostUsd?: number;
}

const codec: DocumentCodec<RunContext> = defineDocument<RunContext>({
  name: 'run context',
  version: '1.0',
  schema: RunContextV1,
});

/** Writes the context of a new run; durable when it returns. */
export async function saveRunContext(manifest: RunManifest, context: RunContext): Promise<void> {
  await writeDocument(manifest.activeRunContextPath, codec, context, { exclusive: true });
}

/** The run's context; an absent file is one that says nothing. */
export async function loadRunContext(manifest: RunManifest): Promise<RunContext> {
  const stored = await readDocument(manifest.activeRunContextPath, codec);
  return stored ?? { schemaVersion: '1.0', translationLanguage: null, minimumModelSource: null };
}
