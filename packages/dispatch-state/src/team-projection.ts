import type { WorkerId } from '@bailiwick/execution-identity';
import type { AttemptFacts } from './model/attempt-facts.ts';
import type { RunManifest } from './model/run-manifest.ts';
import type { Selection, TeamState, WorkerRow } from './model/team-state.ts';
import { inOrderOfStart } from './order-of-start.ts';
import { workerOfRecord } from './record-rules.ts';
import { type BackendKind, type DispatchStatus, WorkerStatus } from './stages.ts';

/** What a team state is computed from; nothing else says where a worker stands. */
export interface TeamFacts {
  readonly manifest: RunManifest;
  readonly records: readonly AttemptFacts[];
  readonly selections: readonly Selection[];
  /** When the projection is made, as it stands in documents. */
  readonly at: string;
}

/**
 * The team state of a run; pure. A worker's row follows its latest attempt, so a terminal status is left only by a new attempt (ST-5); one
 * without attempts is pending, or skipped by the last command that left it aside (PL-1).
 *
 * @throws DispatchStateError RECORD_IDENTITY_DISAGREES for a record that the manifest doesn't hold
 */
export function projectTeamState(facts: TeamFacts): TeamState {
  const records = inOrderOfStart(facts.records);
  const latest = latestByWorker(records, facts.manifest);
  return {
    schemaVersion: '1.0',
    runId: facts.manifest.runId,
    updatedAt: facts.at,
    mode: modeOf(records),
    workers: facts.manifest.participants.map(({ workerId }) => rowOf(workerId, latest.get(workerId), facts)),
    dispatches: records.map(({ dispatchId, status, backend }) => ({ dispatchId, status, backend })),
  };
}

/** One mode for all dispatches of a run, `mixed` where they differ, null before the first. */
export function modeOf(records: readonly AttemptFacts[]): BackendKind | 'mixed' | null {
  const kinds = new Set(records.map((record) => record.backend));
  const [only] = kinds;
  if (only === undefined) return null;
  return kinds.size === 1 ? only : 'mixed';
}

function latestByWorker(records: readonly AttemptFacts[], manifest: RunManifest): ReadonlyMap<WorkerId, AttemptFacts> {
  return new Map(records.map((record) => [workerOfRecord(record, manifest), record]));
}

function rowOf(workerId: WorkerId, record: AttemptFacts | undefined, facts: TeamFacts): WorkerRow {
  if (record === undefined) return unstartedRow(workerId, facts);
  return {
    workerId,
    status: rowStatusOf(record.status),
    reason: record.reason,
    modelExecutionValue: record.modelExecutionValue,
    updatedAt: record.finishedAt ?? record.dispatchedAt,
  };
}

function rowStatusOf(status: DispatchStatus): WorkerStatus {
  return status === 'launching' || status === 'running' ? WorkerStatus.inProgress : status;
}

function unstartedRow(workerId: WorkerId, { selections, manifest }: TeamFacts): WorkerRow {
  const last = selections.findLast((selection) => isNamed(workerId, selection));
  const skip = last?.skipped.find((row) => row.workerId === workerId);
  return {
    workerId,
    status: skip === undefined ? WorkerStatus.pending : WorkerStatus.skipped,
    reason: skip?.reason ?? '',
    modelExecutionValue: null,
    updatedAt: last?.at ?? manifest.createdAt,
  };
}

function isNamed(workerId: WorkerId, { selected, skipped }: Selection): boolean {
  return selected.includes(workerId) || skipped.some((row) => row.workerId === workerId);
}
