/** Where an attempt stands. Only `launching` and the terminal ones are ever written; `running` is read off the sidecar. */
export const DispatchStatus = {
  launching: 'launching',
  running: 'running',
  completed: 'completed',
  error: 'error',
  timeout: 'timeout',
  stopped: 'stopped',
} as const;
export type DispatchStatus = (typeof DispatchStatus)[keyof typeof DispatchStatus];

/** The statuses that only a new attempt leaves (ST-5). `lost` is a reason of `error`, not a status. */
export const TERMINAL_STATUSES: readonly DispatchStatus[] = ['completed', 'error', 'timeout', 'stopped'];

/** True once an attempt can only be followed by another attempt. */
export function isTerminalStatus(status: DispatchStatus): boolean {
  return TERMINAL_STATUSES.includes(status);
}

/** What a supervisor knows of one attempt's process. */
export const Stage = {
  starting: 'starting',
  running: 'running',
  exited: 'exited',
  timedOut: 'timed-out',
  idleTimedOut: 'idle-timed-out',
  stopped: 'stopped',
  servedModelMismatch: 'served-model-mismatch',
  launchFailed: 'launch-failed',
  waitingForInput: 'waiting-for-input',
} as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

const LIVE_STAGES: readonly Stage[] = ['starting', 'running', 'waiting-for-input'];

/** True once the supervisor has said that the process tree of an attempt is gone. */
export function isTerminalStage(stage: Stage): boolean {
  return !LIVE_STAGES.includes(stage);
}

/** How the end of a process tree is known; only the first two may be called proven. */
export const EndProof = { namespace: 'namespace', cgroup: 'cgroup', search: 'search', unknown: 'unknown' } as const;
export type EndProof = (typeof EndProof)[keyof typeof EndProof];

/** A worker's row in the team state: `pending`, `in-progress`, terminal; `skipped` from pending only. */
export const WorkerStatus = {
  pending: 'pending',
  inProgress: 'in-progress',
  completed: 'completed',
  error: 'error',
  timeout: 'timeout',
  stopped: 'stopped',
  skipped: 'skipped',
} as const;
export type WorkerStatus = (typeof WorkerStatus)[keyof typeof WorkerStatus];

/** What runs a worker: a child of a detached supervisor, or a pane of cmux with the supervisor in it. */
export const BackendKind = { cliWrapper: 'cli-wrapper', cmuxPane: 'cmux-pane' } as const;
export type BackendKind = (typeof BackendKind)[keyof typeof BackendKind];

/** Where the workers of a run work: in the project's own tree, or in a worktree that the run has to itself. */
export const Isolation = { tree: 'tree', worktree: 'worktree' } as const;
export type Isolation = (typeof Isolation)[keyof typeof Isolation];
