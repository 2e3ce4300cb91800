import { join } from 'node:path';
import { encodeFileName } from '@bailiwick/durable-files';
import type { BatchId, DispatchId, InvocationRef, RunId, WorkerId } from '@bailiwick/execution-identity';

/** Where the documents of one run lie. Every path of a run is made here and nowhere else. */
export interface RunLayout {
  readonly runId: RunId;
  /** Absolute; below the state root, which no worker may write. */
  readonly runDirectory: string;
  readonly manifestPath: string;
  readonly teamStatePath: string;
  readonly eventLogPath: string;
  readonly errorLogPath: string;
  readonly openFolder: string;
  readonly dispatchesFolder: string;
  readonly invocationsFolder: string;
  readonly locksFolder: string;
  readonly promptsFolder: string;
  readonly resultsFolder: string;
  /** Finished reports; made when there is one. */
  readonly reportsFolder: string;
  readonly sidecarsFolder: string;
  readonly logsFolder: string;
  readonly snapshotsFolder: string;
  readonly reservationsFolder: string;
  readonly stopsFolder: string;
  readonly selectionsLogPath: string;
  readonly settledLogPath: string;
  /** Records of v1 jobs; made when there is one. */
  readonly unauditedFolder: string;
}

/** The folder of all runs below a state root (`<git common dir>/bailiwick`, or the user's state folder). */
export function runsFolderOf(stateRoot: string): string {
  return join(stateRoot, 'runs');
}

/** The layout of one run; touches no disk. */
export function layoutOfRun(stateRoot: string, runId: RunId): RunLayout {
  const runDirectory = join(runsFolderOf(stateRoot), encodeFileName(runId));
  // Every command makes one for each run of a project: joined twenty times they would take longer than reading the folders.
  const at = (name: string): string => `${runDirectory}/${name}`;
  return {
    runId,
    runDirectory,
    manifestPath: at('run-manifest.json'),
    teamStatePath: at('team-state.json'),
    eventLogPath: at('lead-events.jsonl'),
    errorLogPath: at('error-log.jsonl'),
    openFolder: at('open'),
    dispatchesFolder: at('dispatches'),
    invocationsFolder: at('invocations'),
    locksFolder: at('locks'),
    promptsFolder: at('prompts'),
    resultsFolder: at('results'),
    reportsFolder: at('reports'),
    sidecarsFolder: at('sidecars'),
    logsFolder: at('logs'),
    snapshotsFolder: at('snapshots'),
    reservationsFolder: at('reservations'),
    stopsFolder: at('stops'),
    selectionsLogPath: at('selections.jsonl'),
    settledLogPath: at('settled.jsonl'),
    unauditedFolder: at('unaudited'),
  };
}

/** The document of one attempt: its record. */
export function recordPathOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.dispatchesFolder, `${encodeFileName(dispatchId)}.json`);
}

/** The empty marker of an attempt that is not settled yet. */
export function openMarkerOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.openFolder, encodeFileName(dispatchId));
}

/** The immutable document of one invocation. */
export function invocationPathOf(layout: RunLayout, invocationRef: InvocationRef): string {
  return join(layout.invocationsFolder, `${encodeFileName(invocationRef)}.json`);
}

/** What the supervisor of an attempt knows of it. */
export function sidecarPathOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.sidecarsFolder, `${encodeFileName(dispatchId)}.json`);
}

/** What the agent of an attempt printed. */
export function logPathOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.logsFolder, `${encodeFileName(dispatchId)}.log`);
}

/** The baseline of a batch (MA-1). */
export function snapshotPathOf(layout: RunLayout, batchId: BatchId): string {
  return join(layout.snapshotsFolder, `${encodeFileName(batchId)}.snap`);
}

/** Where the copies of an attempt's sound artifacts go; only these are read after settlement. */
export function resultsFolderOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.resultsFolder, encodeFileName(dispatchId));
}

/** Leads to the results of the attempt that completed an invocation. */
export function resultLinkOf(layout: RunLayout, invocationRef: InvocationRef): string {
  return join(layout.resultsFolder, `${encodeFileName(invocationRef)}.latest`);
}

/** The finished report of an attempt that wrote one. */
export function finishedReportPathOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.reportsFolder, `${encodeFileName(dispatchId)}.md`);
}

/** Where a stop of a worker lies (AW-6). */
export function stopIntentPathOf(layout: RunLayout, workerId: WorkerId): string {
  return join(layout.stopsFolder, `${encodeFileName(workerId)}.json`);
}

/**
 * The kernel locks of a batch, one per purpose: `launch` is held by the command from before the first record until the supervisor has
 * answered, `live` by the supervisor from before its first spawn until its last terminal sidecar is durable, `settle` around one settlement.
 */
export const LockPurpose = { launch: 'launch', live: 'live', settle: 'settle' } as const;
export type LockPurpose = (typeof LockPurpose)[keyof typeof LockPurpose];

/** The lock for short critical sections of a run: claim, retry, stop; never an audit. */
export function runLockPathOf(layout: RunLayout): string {
  return join(layout.locksFolder, 'run.lock');
}

/** A kernel lock of a batch. */
export function batchLockPathOf(layout: RunLayout, batchId: BatchId, purpose: LockPurpose): string {
  return join(layout.locksFolder, `${encodeFileName(batchId)}.${purpose}`);
}

/** The folders that a new run is made with. */
export function foldersOf(layout: RunLayout): readonly string[] {
  return [
    layout.runDirectory,
    layout.openFolder,
    layout.dispatchesFolder,
    layout.invocationsFolder,
    layout.locksFolder,
    layout.promptsFolder,
    layout.resultsFolder,
    layout.sidecarsFolder,
    layout.logsFolder,
    layout.snapshotsFolder,
    layout.reservationsFolder,
    layout.stopsFolder,
  ];
}
