import { findProvider } from '@bailiwick/agent-providers';
import {
  type DispatchRecord,
  type DispatchStatus,
  isTerminalStage,
  isTerminalStatus,
  projectTeamState,
  readSelections,
  readSidecar,
  readTail,
  type Stage,
  type StatusSidecar,
  type TeamState,
  type UnauditedRecord,
} from '@bailiwick/dispatch-state';
import type { StoredRun } from '../select-run.ts';
import { type Damage, damageOf } from './damage.ts';

/** Where each worker stands, and what its newest attempt last said. */
export interface TeamStatus {
  readonly runId: string;
  readonly workers: TeamState['workers'];
  readonly attempts: readonly AttemptStatus[];
  /** Records that can't be read: workers and attempts lack what they say. */
  readonly unreadable: readonly Damage[];
}

/** Where one attempt stands: `stage` is what its supervisor last said, `status` what follows for a person. */
export interface AttemptStatus {
  readonly dispatchId: string;
  readonly label: string;
  readonly attempt: number;
  readonly status: DispatchStatus | 'ended, contract pending';
  readonly stage: Stage | 'lost' | 'none';
  readonly ageMs: number;
  readonly lastLine: string;
  readonly logPath: string;
  /** Of a v1 job, whose changes nobody audits; absent of others. */
  readonly audit?: 'unaudited';
}

const TAIL_BYTES = 16_384;

/** The team of a run now; what runs is told by its sidecar, since records say only `launching` and how it ended. */
export async function teamStatus(run: StoredRun, now: Date): Promise<TeamStatus> {
  const { manifest, records, layout } = run;
  const state = projectTeamState({
    manifest,
    records,
    selections: await readSelections(layout),
    at: now.toISOString(),
  });
  const audited = records.map((record) => attemptStatus(record, { now, label: record.executionLabel }));
  const unaudited = (run.unaudited ?? []).map((record) => unauditedStatus(record, now));
  const attempts = await Promise.all([...audited, ...unaudited]);
  return { runId: manifest.runId, workers: state.workers, attempts, unreadable: damageOf(run.unreadable) };
}

async function unauditedStatus(record: UnauditedRecord, now: Date): Promise<AttemptStatus> {
  const status = await attemptStatus(record, { now, label: `${record.workerId} (unaudited)` });
  return { ...status, audit: 'unaudited' };
}

/** What records of both generations say of where an attempt stands. */
type StandingRecord = Pick<
  DispatchRecord,
  | 'dispatchId'
  | 'attempt'
  | 'status'
  | 'reason'
  | 'provider'
  | 'lifecycle'
  | 'dispatchedAt'
  | 'finishedAt'
  | 'statusSidecarPath'
  | 'logPath'
>;

async function attemptStatus(
  record: StandingRecord,
  { now, label }: { readonly now: Date; readonly label: string },
): Promise<AttemptStatus> {
  const isSettled = isTerminalStatus(record.status);
  const sidecar = isSettled ? undefined : await readSidecar(record.statusSidecarPath);
  const until = record.finishedAt === null ? now.getTime() : Date.parse(record.finishedAt);
  return {
    dispatchId: record.dispatchId,
    label,
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
    lastLine: record.reason !== '' ? record.reason : await lastLineOf(record, sidecar),
    logPath: record.logPath,
  };
}

/** What the agent last said in its provider's stream; the log holds the stream itself, which nobody wants to read. */
async function lastLineOf(record: StandingRecord, sidecar: StatusSidecar | undefined): Promise<string> {
  if (sidecar?.lastLine != null) return sidecar.lastLine;
  const tail = Buffer.from(await readTail(record.logPath, TAIL_BYTES));
  const reader = findProvider(record.provider).reader();
  const lines = [...reader.push(tail.subarray(tail.indexOf(10) + 1)), ...reader.end()].flatMap((seen) =>
    seen.kind === 'line' ? [seen.text] : [],
  );
  return (lines.at(-1) ?? '').slice(0, 200);
}
