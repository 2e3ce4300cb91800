import type { AssignmentEnvironment, AttestationSource, ModelPool } from '@bailiwick/assignment-resolution';
import type { Sealer } from '@bailiwick/attempt-evidence';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import type { BackendKind, DispatchRecord, RunLayout, RunManifest } from '@bailiwick/dispatch-state';
import type { BoundarySetting } from './boundary/setting.ts';
import type { ModelServerSetting } from './launch/model-server.ts';

/** What a step after a report's collection says of itself (ST-3). */
export interface PostProcessing {
  readonly ok: boolean;
  readonly steps: readonly string[];
  readonly reason: string;
  /** Absolute paths of what it made in the run's folder and what nobody changes again: sealed with the attempt. */
  readonly files?: readonly string[];
}

/** Everything that dispatching needs from outside; nothing here is kept between launch and settlement. */
export interface DispatchContext {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
  /** Absolute; `<git common dir>/bailiwick` or the user's state folder. */
  readonly stateRoot: string;
  /** Absolute; null where the project isn't in git. */
  readonly gitCommonDirectory: string | null;
  readonly backends: ReadonlyMap<BackendKind, WorkerBackend>;
  readonly pool: ModelPool;
  readonly environment: AssignmentEnvironment;
  /** The user's own way to start a provider's program: program and leading arguments. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** Provider id → the model server that its workers are to use, behind a gateway; absent: its own. */
  readonly modelServers?: Readonly<Record<string, ModelServerSetting>>;
  /** What an agent may inherit; providers take away and add. */
  readonly agentEnvironment: Readonly<Record<string, string>>;
  /** Absent: no worker gets an operating-system boundary. */
  readonly boundary?: BoundarySetting;
  /** Where sockets may lie; null where hints have to be polled for. */
  readonly runtimeFolder: string | null;
  readonly maxConcurrent: number;
  /** Provider id → how many of its workers may run at a time, of those. */
  readonly maxConcurrentByProvider?: Readonly<Record<string, number>>;
  /** What the run may cost, in US dollars; once it is known to be spent nothing more is launched. Absent: anything. */
  readonly maxCostUsd?: number;
  /** The weakest source of a served model's name that the run accepts (AR-10); absent or null: any. */
  readonly minimumModelSource?: AttestationSource | null;
  readonly maxLogBytes: number;
  /** Further files of the orchestrator that no worker may touch, such as the project's config. */
  readonly guardedFiles: readonly string[];
  readonly now: () => Date;
  /** What seals a settled attempt (EV-3); signed only where no worker could have had the key. May reject: the attempt is settled unsealed. */
  readonly sealer: (record: DispatchRecord) => Promise<Sealer>;
  /** Runs on a completed report, before its record is written. */
  readonly postProcess: (record: DispatchRecord, reportCopyPath: string) => Promise<PostProcessing>;
  /** Told what happens, for progress; must not throw. */
  readonly onProgress: (progress: Progress) => void;
}

/** What a person watching would want to know. */
export type Progress =
  | { readonly kind: 'launched'; readonly record: DispatchRecord }
  | { readonly kind: 'settled'; readonly record: DispatchRecord }
  | { readonly kind: 'retry-launched'; readonly record: DispatchRecord }
  | { readonly kind: 'lost'; readonly record: DispatchRecord };

/** Now, as it stands in documents: ISO 8601, UTC, milliseconds. */
export function timestampOf(context: Pick<DispatchContext, 'now'>): string {
  return context.now().toISOString();
}
