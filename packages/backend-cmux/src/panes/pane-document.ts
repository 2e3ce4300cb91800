import { dirname, join } from 'node:path';
import {
  type DocumentCodec,
  defineDocument,
  encodeFileName,
  ensureFolder,
  readDocument,
  writeDocument,
} from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import { z } from 'zod';

/** What of the app was opened for attempts. Only what stands in such a document is ever closed (CX-2). */
export interface PaneDocument {
  readonly schemaVersion: '1.0';
  /** `opening` is written before the app is asked: the pane may be there although no id is known yet. */
  readonly state: 'opening' | 'open' | 'closed' | 'vanished' | 'left';
  /** The attempts that run in it, one after the other. */
  readonly dispatchIds: readonly string[];
  /** The title that it was given; a pane with another one isn't ours any more. */
  readonly title: string;
  /** Null while a workspace of its own is being opened. */
  readonly workspaceId: string | null;
  readonly surfaceId: string | null;
  /** The folder that the app was asked to start it in, which no other pane was. */
  readonly marker: string;
  /** The workspace was made for the workers, too. */
  readonly isOwnWorkspace: boolean;
  /** What its supervisor holds as long as it lives. */
  readonly liveLockPath: string;
  readonly openedAt: string;
}

const PaneDocumentV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  state: z.enum(['opening', 'open', 'closed', 'vanished', 'left']),
  dispatchIds: z.array(z.string().min(1)).min(1),
  title: z.string(),
  workspaceId: z.string().min(1).nullable(),
  surfaceId: z.string().min(1).nullable(),
  marker: z.string().min(1),
  isOwnWorkspace: z.boolean(),
  liveLockPath: z.string().min(1),
  openedAt: z.iso.datetime(),
});

export const paneDocumentCodec: DocumentCodec<PaneDocument> = defineDocument<PaneDocument>({
  name: 'pane document',
  version: '1.0',
  schema: PaneDocumentV1,
});

/** Where an attempt's pane document lies: `panes/` beside the folder of its sidecar. */
export function paneDocumentPath(o: {
  readonly sidecarPath: string;
  readonly dispatchId: DispatchId | string;
}): string {
  return join(dirname(dirname(o.sidecarPath)), 'panes', `${encodeFileName(o.dispatchId)}.json`);
}

/** The pane of an attempt; undefined where none was opened for it. */
export async function readPane(o: {
  readonly sidecarPath: string;
  readonly dispatchId: DispatchId | string;
}): Promise<PaneDocument | undefined> {
  return readDocument(paneDocumentPath(o), paneDocumentCodec);
}

/** True where, as far as is known, the pane is still there. */
export function isOnRecordAsOpen({ state }: PaneDocument): boolean {
  return state === 'opening' || state === 'open';
}

/** Writes the document of every attempt of the pane; durable when it returns. */
export async function writePane(sidecarPath: string, pane: PaneDocument): Promise<void> {
  for (const dispatchId of pane.dispatchIds) {
    const path = paneDocumentPath({ sidecarPath, dispatchId });
    await ensureFolder(dirname(path));
    await writeDocument(path, paneDocumentCodec, pane);
  }
}
