import type { MutationAudit } from '@bailiwick/mutation-audit';
import type { DispatchRecord } from './dispatch-record.ts';
import type { ProcessIdentity, Usage } from './facts.ts';
import type { Lifecycle, ResultOutcome, RetryDecision } from './outcome.ts';

/**
 * The part of a record that plans and projections are made from: who it was, when, how it stands. Every `DispatchRecord` is one; of
 * settled attempts these are kept together, so that a plan needn't read each record again.
 */
export interface AttemptFacts
  extends Pick<
    DispatchRecord,
    | 'dispatchId'
    | 'participantRef'
    | 'roleExecutionRef'
    | 'invocationRef'
    | 'executionLabel'
    | 'dutyId'
    | 'attempt'
    | 'role'
    | 'backend'
    | 'modelExecutionValue'
    | 'status'
    | 'reason'
    | 'dispatchedAt'
    | 'finishedAt'
    | 'eventLogOffset'
  > {
  readonly lifecycle: Pick<Lifecycle, 'end'> | null;
  readonly contract: { readonly audit: Pick<MutationAudit, 'status'> | null } | null;
  readonly result: Pick<ResultOutcome, 'verdict'> | null;
  readonly retry: Pick<RetryDecision, 'successor'> | null;
  /** Null where nothing of it ever ran. */
  readonly process: Pick<ProcessIdentity, 'pid'> | null;
  readonly usage: Pick<Usage, 'costUsd'> | null;
}

/** The facts of a record and nothing else of it; pure. */
export function factsOfRecord(record: DispatchRecord): AttemptFacts {
  const { lifecycle, contract, result, retry, process, usage } = record;
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId } = record;
  const { dispatchId, attempt, role, backend, modelExecutionValue } = record;
  const { status, reason, dispatchedAt, finishedAt, eventLogOffset } = record;
  return {
    ...{ dispatchId, participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId },
    ...{ attempt, role, backend, modelExecutionValue, status, reason, dispatchedAt, finishedAt, eventLogOffset },
    lifecycle: lifecycle === null ? null : { end: lifecycle.end },
    contract: contract === null ? null : { audit: contract.audit === null ? null : { status: contract.audit.status } },
    result: result === null ? null : { verdict: result.verdict },
    retry: retry === null ? null : { successor: retry.successor },
    process: process === null ? null : { pid: process.pid },
    usage: usage === null ? null : { costUsd: usage.costUsd },
  };
}
