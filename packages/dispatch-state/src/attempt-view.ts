import type { InvocationId, InvocationRef, TaskKey } from '@bailiwick/execution-identity';
import type { AuditStatus, MutationAudit } from '@bailiwick/mutation-audit';
import { DispatchStateError } from './errors.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { RunManifest } from './model/run-manifest.ts';
import { isTerminalStatus } from './stages.ts';

/** What an attempt changed, and who is known to have done it. */
export type ChangeSummary = Pick<MutationAudit, 'changedPaths' | 'sourceChanged' | 'gitChanged' | 'attribution'>;

/** One try at an invocation, as its record says it (ST-6). */
export interface AttemptView {
  readonly invocationRef: InvocationRef;
  readonly invocationId: InvocationId;
  readonly attempt: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** `started`, then the audit's verdict; null where nothing was started, so that there was nothing to audit. */
  readonly status: 'started' | AuditStatus | null;
  /** Of the worker result: the copy, relative to the run's folder; null where none was handed in. */
  readonly resultPath: string | null;
  /** Null where nothing was compared. */
  readonly changeSummary: ChangeSummary | null;
  readonly retryDecided: boolean;
  /** The key of its seal; null where it has none. */
  readonly evidenceSealRef: string | null;
}

/**
 * The view of one attempt; pure. `taskKey` is the task that it is taken for.
 *
 * @throws DispatchStateError TASK_KEY_DIFFERS where that isn't the task of the manifest
 */
export function attemptViewOf(
  record: DispatchRecord,
  o: { readonly manifest: RunManifest; readonly taskKey: TaskKey },
): AttemptView {
  if (o.taskKey !== o.manifest.taskKey) throw taskKeyDiffers(record, o.taskKey, o.manifest);
  const { invocationRef, invocationId, attempt, dispatchedAt, finishedAt, contract, retry, evidence } = record;
  const audit = contract?.audit ?? null;
  return {
    invocationRef,
    invocationId,
    attempt,
    startedAt: dispatchedAt,
    finishedAt,
    status: isTerminalStatus(record.status) ? (audit?.status ?? null) : 'started',
    resultPath: workerResultOf(record),
    changeSummary: changeSummaryOf(audit),
    retryDecided: retry !== null,
    evidenceSealRef: evidence?.sealRef ?? null,
  };
}

/** The part of an audit that says what changed; null where there is none. */
export function changeSummaryOf(audit: MutationAudit | null): ChangeSummary | null {
  if (audit === null) return null;
  const { changedPaths, sourceChanged, gitChanged, attribution } = audit;
  return { changedPaths, sourceChanged, gitChanged, attribution };
}

function workerResultOf({ result, workerResultPath }: DispatchRecord): string | null {
  return result?.artifacts.find((artifact) => artifact.path === workerResultPath)?.copy ?? null;
}

function taskKeyDiffers(record: DispatchRecord, taskKey: TaskKey, manifest: RunManifest): DispatchStateError {
  return new DispatchStateError(
    'TASK_KEY_DIFFERS',
    `attempt ${record.dispatchId} is of task ${manifest.taskKey}, not of ${taskKey}`,
    { hint: `run ${manifest.runId} works on ${manifest.taskKey}; name the run of the other task` },
  );
}
