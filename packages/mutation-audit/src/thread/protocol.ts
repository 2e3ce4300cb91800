import type { MessagePort } from 'node:worker_threads';
import type { MutationAuditErrorCode } from '../errors.ts';
import type { AlteredInLayer, LayerPlace } from '../layer/altered-task.ts';
import type { OutlineLimits, TreeOutline } from '../layer/outline-task.ts';
import type { SnapshotReceipt, SnapshotRoot, TreeObservation } from '../model.ts';
import type { CompareShareInput, CompareSharePart } from '../tree/compare-share.ts';
import type { HashShareInput, HashSharePart } from '../tree/hash-share.ts';
import type { WalkLimits, WalkPart } from '../tree/walk.ts';

/** What the main thread asks the audit thread for. */
export type AuditTask =
  | {
      readonly kind: 'snapshot';
      readonly roots: readonly SnapshotRoot[];
      readonly snapshotPath: string;
      readonly exclude: readonly string[];
    }
  | { readonly kind: 'compare'; readonly snapshotPath: string }
  | { readonly kind: 'source-digest'; readonly worktree: string; readonly exclude: readonly string[] }
  | {
      readonly kind: 'altered';
      readonly worktree: string;
      readonly exclude: readonly string[];
      readonly layer: LayerPlace;
    }
  | {
      readonly kind: 'outline';
      readonly worktree: string;
      readonly exclude: readonly string[];
      readonly limits: OutlineLimits;
    };

/** The lists of an observation travel in slices, so that receiving them never holds up the receiver. */
export type ObservationSlice = Partial<
  Pick<TreeObservation, 'changes' | 'git' | 'unverifiable' | 'traces' | 'aliased'>
>;
/** The rest of an observation. */
export type ObservationFrame = Pick<TreeObservation, 'beforeDigest' | 'afterDigest' | 'gitProjection'>;

/** What the audit thread answers. */
export type AuditAnswer =
  | { readonly kind: 'slice'; readonly slice: ObservationSlice }
  | { readonly kind: 'snapshot'; readonly receipt: Omit<SnapshotReceipt, 'durationMs'> }
  | { readonly kind: 'compare'; readonly frame: ObservationFrame }
  | { readonly kind: 'source-digest'; readonly digest: string }
  | { readonly kind: 'altered'; readonly found: AlteredInLayer }
  | { readonly kind: 'outline'; readonly outline: TreeOutline }
  | { readonly kind: 'failed'; readonly error: ThreadError };

/** How a task is run. */
export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Takes the answers before the last. */
  readonly onSlice?: (answer: Extract<AuditAnswer, { kind: 'slice' }>) => void;
}

/** An error on its way between threads. */
export interface ThreadError {
  readonly code: MutationAuditErrorCode;
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
  readonly stack?: string;
}

/** How a thread of the crew is started. */
export type CrewRole =
  | { readonly role: 'lead'; readonly helpers: readonly MessagePort[] }
  | { readonly role: 'helper'; readonly port: MessagePort };

/** A job that all threads of the crew work on at once, each taking its share. */
export type CrewJob =
  | { readonly kind: 'walk'; readonly queue: SharedArrayBuffer; readonly limits: WalkLimits }
  | { readonly kind: 'compare'; readonly input: CompareShareInput }
  | { readonly kind: 'hash'; readonly input: HashShareInput };

/** What each kind of job yields per thread. */
export interface CrewParts {
  readonly walk: WalkPart;
  readonly compare: CompareSharePart;
  readonly hash: HashSharePart;
}

/** A helper's answer to a job. */
export type CrewReply =
  | { readonly ok: true; readonly part: CrewParts[keyof CrewParts] }
  | { readonly ok: false; readonly error: ThreadError };
