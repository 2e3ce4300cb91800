import type { BatchId, DispatchId, RunId, WorkerId } from '@bailiwick/execution-identity';
import type { BackendKind, DispatchStatus, WorkerStatus } from '../stages.ts';

/** Where one worker stands. */
export interface WorkerRow {
  readonly workerId: WorkerId;
  readonly status: WorkerStatus;
  readonly reason: string;
  /** Of the latest attempt; null before the first. */
  readonly modelExecutionValue: string | null;
  readonly updatedAt: string;
}

/** One attempt, as the team state lists it. */
export interface DispatchFact {
  readonly dispatchId: DispatchId;
  readonly status: DispatchStatus;
  readonly backend: BackendKind;
}

/** A projection of manifest, records and selections, for readers: nothing is decided from it. */
export interface TeamState {
  readonly schemaVersion: '1.0';
  readonly runId: RunId;
  readonly updatedAt: string;
  /** Null before the first dispatch. */
  readonly mode: BackendKind | 'mixed' | null;
  /** One row for each participant, in the manifest's order. */
  readonly workers: readonly WorkerRow[];
  readonly dispatches: readonly DispatchFact[];
}

/** Which workers a real command took, and which it left aside; the last one that names a worker decides its row (PL-1). */
export interface Selection {
  readonly at: string;
  readonly batchId: BatchId;
  readonly selected: readonly WorkerId[];
  readonly skipped: readonly { readonly workerId: WorkerId; readonly reason: string }[];
}

/** Durable word that a worker is not to run any more; written before anything is signalled (AW-6). */
export interface StopIntent {
  readonly schemaVersion: '1.0';
  readonly workerId: WorkerId;
  /** Who asked for it. */
  readonly by: string;
  readonly at: string;
}
