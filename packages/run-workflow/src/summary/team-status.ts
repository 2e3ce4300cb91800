import {
  type DispatchRecord,
  isTerminalStage,
  isTerminalStatus,
  projectTeamState,
  readSelections,
  readSidecar,
  readTail,
  type TeamState,
} from '@bailiwick/dispatch-state';
import type { StoredRun } from '../select-run.ts';

/** Where each worker stands, and what its newest attempt last said. */
export interface TeamStatus {
  readonly runId: string;
  readonly workers: TeamState['workers'];
  readonly attempts: readonly AttemptStatus[];
}

export interface AttemptStatus {
  readonly dispatchId: string;
  readonly label: string;
  readonly attempt: number;
  readonly status: string;
  readonly stage: string;
  readonly ageMs: number;
  readonly lastLine: string;
  readonly logPath: string;
}

const TAIL_BYTES = 4096;

/** The team of a run now; what runs is told by its sidecar, since records say only `launching` and how it ended. */
export async function teamStatus(run: StoredRun, now: Date): Promise<TeamStatus> {
  const { manifest, records, layout } = run;
  const state = projectTeamState({
    manifest,
    records,
    selections: await readSelections(layout),
    at: now.toISOString(),
  });
  const attempts = await Promise.all(records.map((record) => attemptStatus(record, now)));
  return { runId: manifest.runId, workers: state.workers, attempts };
}

async function attemptStatus(record: DispatchRecord, now: Date): Promise<AttemptStatus> {
  const isSettled = isTerminalStatus(record.status);
  const sidecar = isSettled ? undefined : await readSidecar(record.statusSidecarPath);
  const until = record.finishedAt === null ? now.getTime() : Date.parse(record.finishedAt);
  return {
    dispatchId: record.dispatchId,
    label: record.executionLabel,
    attempt: record.attempt,
    status: isSettled
      ? record.status
      : sidecar === undefined
        ? 'launching'
        : isTerminalStage(sidecar.stage)
          ? 'ended, contract pending'
          : 'running',
    stage: sidecar?.stage ?? record.lifecycle?.end ?? 'none',
    ageMs: Math.max(0, until - Date.parse(record.dispatchedAt)),
    lastLine: record.reason !== '' ? record.reason : lastLineOf(await readTail(record.logPath, TAIL_BYTES)),
    logPath: record.logPath,
  };
}

function lastLineOf(tail: string): string {
  const line = tail.split('\n').findLast((text) => text.trim() !== '') ?? '';
  return line.trim().slice(0, 200);
}
