import {
  parseBatchId,
  parseDispatchId,
  parseInvocationRef,
  parseRunId,
  parseWorkerId,
} from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  batchLockPathOf,
  finishedReportPathOf,
  foldersOf,
  invocationPathOf,
  LockPurpose,
  layoutOfRun,
  logPathOf,
  openMarkerOf,
  recordPathOf,
  resultLinkOf,
  resultsFolderOf,
  runLockPathOf,
  runsFolderOf,
  sidecarPathOf,
  snapshotPathOf,
  stopIntentPathOf,
} from '../src/index.ts';

const layout = layoutOfRun('/shop/.git/bailiwick', parseRunId('r-20261129-161800-4f9a2c'));
const run = '/shop/.git/bailiwick/runs/r-20261129-161800-4f9a2c';
const dispatchId = parseDispatchId('inv-1~1:attempt-1');
const invocationRef = parseInvocationRef('r-1.Implementer.1');
const batchId = parseBatchId('b-1');

describe('the layout of a run', () => {
  it('has its documents, logs and folders at these paths', () => {
    expect(runsFolderOf('/shop/.git/bailiwick')).toBe('/shop/.git/bailiwick/runs');
    expect(layout).toEqual({
      runId: 'r-20261129-161800-4f9a2c',
      runDirectory: run,
      manifestPath: `${run}/run-manifest.json`,
      teamStatePath: `${run}/team-state.json`,
      eventLogPath: `${run}/lead-events.jsonl`,
      errorLogPath: `${run}/error-log.jsonl`,
      openFolder: `${run}/open`,
      dispatchesFolder: `${run}/dispatches`,
      invocationsFolder: `${run}/invocations`,
      locksFolder: `${run}/locks`,
      promptsFolder: `${run}/prompts`,
      resultsFolder: `${run}/results`,
      reportsFolder: `${run}/reports`,
      sidecarsFolder: `${run}/sidecars`,
      logsFolder: `${run}/logs`,
      snapshotsFolder: `${run}/snapshots`,
      reservationsFolder: `${run}/reservations`,
      stopsFolder: `${run}/stops`,
      selectionsLogPath: `${run}/selections.jsonl`,
      settledLogPath: `${run}/settled.jsonl`,
      unauditedFolder: `${run}/unaudited`,
    });
  });

  it('has what belongs to one attempt, invocation, batch or worker at these paths', () => {
    expect([
      recordPathOf(layout, dispatchId),
      openMarkerOf(layout, dispatchId),
      sidecarPathOf(layout, dispatchId),
      logPathOf(layout, dispatchId),
      resultsFolderOf(layout, dispatchId),
      finishedReportPathOf(layout, dispatchId),
      invocationPathOf(layout, invocationRef),
      resultLinkOf(layout, invocationRef),
      snapshotPathOf(layout, batchId),
      stopIntentPathOf(layout, parseWorkerId('verifier/1')),
      runLockPathOf(layout),
      ...Object.values(LockPurpose).map((purpose) => batchLockPathOf(layout, batchId, purpose)),
    ]).toEqual([
      `${run}/dispatches/inv-1%7e1%3aattempt-1.json`,
      `${run}/open/inv-1%7e1%3aattempt-1`,
      `${run}/sidecars/inv-1%7e1%3aattempt-1.json`,
      `${run}/logs/inv-1%7e1%3aattempt-1.log`,
      `${run}/results/inv-1%7e1%3aattempt-1`,
      `${run}/reports/inv-1%7e1%3aattempt-1.md`,
      `${run}/invocations/r-1.%49mplementer.1.json`,
      `${run}/results/r-1.%49mplementer.1.latest`,
      `${run}/snapshots/b-1.snap`,
      `${run}/stops/verifier%2f1.json`,
      `${run}/locks/run.lock`,
      `${run}/locks/b-1.launch`,
      `${run}/locks/b-1.live`,
      `${run}/locks/b-1.settle`,
    ]);
  });

  it('is made with these folders', () => {
    expect(foldersOf(layout).map((path) => path.slice(run.length))).toEqual([
      '',
      '/open',
      '/dispatches',
      '/invocations',
      '/locks',
      '/prompts',
      '/results',
      '/sidecars',
      '/logs',
      '/snapshots',
      '/reservations',
      '/stops',
    ]);
  });
});
