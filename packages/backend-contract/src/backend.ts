import type { BackendKind, EndProof, ProcessIdentity, Stage, SupervisionOrder } from '@bailiwick/dispatch-state';
import type { BatchId, DispatchId } from '@bailiwick/execution-identity';

/** Where an attempt's worker stands, as far as its backend can tell. `unknown` is never taken for `gone`. */
export const Liveness = { alive: 'alive', ended: 'ended', gone: 'gone', unknown: 'unknown' } as const;
export type Liveness = (typeof Liveness)[keyof typeof Liveness];

/** How far a backend carries a feature: by its own means, on a best effort, or not at all. */
export const Support = { native: 'native', advisory: 'advisory', absent: 'absent' } as const;
export type Support = (typeof Support)[keyof typeof Support];

/** What a backend can do; a degradation is recorded from this table, never silent. */
export interface BackendCapabilities {
  /** The supervisor outlives the command that launched it. */
  readonly survivesCommand: Support;
  /** A worker can be ended with everything it started. */
  readonly endsTree: Support;
  /** A person can watch the worker while it runs. */
  readonly visible: Support;
  /** Stage changes are pushed rather than polled. */
  readonly pushesHints: Support;
  /** Workers run on this machine. */
  readonly local: boolean;
}

/** All that names one attempt to a backend. `process` is what its sidecar last said, null where it never started. */
export interface AttemptAddress {
  readonly batchId: BatchId;
  readonly dispatchId: DispatchId;
  readonly sidecarPath: string;
  readonly liveLockPath: string;
  readonly socketPath: string | null;
  readonly process: ProcessIdentity | null;
}

export interface StartedWorker {
  readonly dispatchId: DispatchId;
  readonly process: ProcessIdentity;
}

export interface FailedStart {
  readonly dispatchId: DispatchId;
  readonly reason: string;
}

/** What became of each job of a launch; `queued` ones wait for a free place below the order's `maxConcurrent`. */
export interface LaunchReport {
  readonly started: readonly StartedWorker[];
  readonly queued: readonly DispatchId[];
  readonly failed: readonly FailedStart[];
}

/** Where a job will run, as a person or another tool can find it: the id of a pane. */
export interface PlacedJob {
  readonly dispatchId: DispatchId;
  readonly place: string;
}

/** What became of each job that was to get a place; a refused one has not run and won't, and may run elsewhere. */
export interface Placement {
  readonly placed: readonly PlacedJob[];
  readonly refused: readonly FailedStart[];
}

export interface LaunchOptions {
  /** Called once the supervisor holds its live lock: from then on it, not the command, owns the attempts. */
  readonly onReady: () => void;
  readonly signal?: AbortSignal;
}

/** A stage may have changed: look at the sidecar. Hints are never facts. */
export interface StageHint {
  readonly dispatchId: DispatchId;
  /** Absent where the backend can't tell: it may be any. */
  readonly stage?: Stage;
}

export interface StopOptions {
  /**
   * Who stops, for the record: "team stop by anna", "interrupt", "abort of batch b1: …"; or {@link STOPPED_AS_LOST}.
   */
  readonly by: string;
  /** From the polite signal to the one that can't be ignored; 0 skips the polite one. */
  readonly graceMs: number;
}

export interface StopOutcome {
  readonly dispatchId: DispatchId;
  /** True where nothing of the attempt was found alive afterwards. */
  readonly isGone: boolean;
  readonly endProof: EndProof;
  /** Processes that had to be ended. */
  readonly endedProcesses: number;
  /** What else was found, for the record's reason: that its pane had been closed, say. */
  readonly note?: string;
}

/**
 * A place where workers run. `dispatch` knows no more of it than this.
 *
 * Promises of an implementation, proven by the conformance suite:
 * B1 `launch` starts a job only while its record says `launching`, and at most once.
 * B2 after `onReady` the death of the caller changes nothing for the workers.
 * B3 a started worker's process identity is in its durable sidecar before it runs its first instruction.
 * B4 after `stop` resolves with `isGone`, nothing that the worker started is alive, and its sidecar is terminal.
 * B5 `probe` says `gone` only where no supervisor can settle the attempt any more; a machine it can't see is `unknown`.
 * B6 `observe` loses hints at worst; it never invents a terminal stage.
 */
export interface WorkerBackend {
  readonly kind: BackendKind;
  readonly capabilities: BackendCapabilities;
  /**
   * Asked before anything is written. Throws BackendError BACKEND_WALLED_OFF where the dispatch must stop rather than run
   * elsewhere; resolves in every other case, also where jobs will be refused a place. Absent: nothing to ask.
   */
  preflight?(): Promise<void>;
  /**
   * A launch is near: what can be started for it without its order may be, while the caller still writes. It runs nothing of an order
   * and knows none; the next `launch` uses it. Gives what ends it where that launch doesn't come. Absent: nothing to start early.
   */
  prepare?(): () => void;
  /**
   * Makes the places in which the jobs of an order will run, before any of it runs; `launch` of the same order uses them.
   * The caller holds the launch lock, so that nobody settles the attempts meanwhile. Absent: no place is needed.
   */
  place?(order: SupervisionOrder): Promise<Placement>;
  /**
   * Resolves once every job has started, is queued or failed to start. BackendError LAUNCH_FAILED where no supervisor
   * came up.
   */
  launch(order: SupervisionOrder, options: LaunchOptions): Promise<LaunchReport>;
  probe(attempt: AttemptAddress): Promise<Liveness>;
  /**
   * Calls `onHint` until `signal` aborts or the supervisor is gone; resolves then. Without a socket it resolves at
   * once.
   */
  observe(attempts: readonly AttemptAddress[], onHint: (hint: StageHint) => void, signal: AbortSignal): Promise<void>;
  /**
   * Ends workers with everything they started, through their supervisor while it lives, else directly. With {@link
   * STOPPED_AS_LOST} as `by` a dead supervisor's sidecar stays as it is (B4 apart), so that the attempt settles as
   * lost.
   */
  stop(attempts: readonly AttemptAddress[], options: StopOptions): Promise<readonly StopOutcome[]>;
  /** Frees what the backend holds in this process; workers go on. */
  close(): Promise<void>;
}
