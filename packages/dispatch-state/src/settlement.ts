import { canonicalJson } from '@bailiwick/durable-files';
import { changeSummaryOf } from './attempt-view.ts';
import { DispatchStateError } from './errors.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { ProcessIdentity, ServedModel, Usage } from './model/facts.ts';
import type { ContractOutcome, EvidenceOutcome, Lifecycle, ResultOutcome, RetryDecision } from './model/outcome.ts';
import { type DispatchStatus, isTerminalStatus } from './stages.ts';

/** What settlement decided of one attempt. */
export interface Settlement {
  /** A terminal one. */
  readonly status: DispatchStatus;
  readonly reason: string;
  readonly finishedAt: string;
  readonly lifecycle: Lifecycle;
  readonly contract: ContractOutcome;
  readonly result: ResultOutcome;
  readonly retry: RetryDecision | null;
  readonly process: ProcessIdentity | null;
  readonly servedModel: ServedModel;
  readonly usage: Usage;
  readonly reportedSessionId: string | null;
  readonly stoppedBy: string | null;
  readonly evidence: EvidenceOutcome;
}

/**
 * The terminal form of a record; pure. A record that is terminal already is returned as it is where the settlement says the same
 * (status, artifacts, changes), whatever it says besides (ST-4).
 *
 * @throws DispatchStateError TERMINAL_RESULT_DRIFT where it says something else; TRANSITION_REFUSED for a status that is no end
 */
export function settleRecord(record: DispatchRecord, settlement: Settlement): DispatchRecord {
  if (!isTerminalStatus(settlement.status))
    throw new DispatchStateError('TRANSITION_REFUSED', `${record.dispatchId}: "${settlement.status}" is no end`, {
      hint: 'settle an attempt with a terminal status',
    });
  if (isTerminalStatus(record.status)) return sameOrDrift(record, settlement);
  return { ...record, ...settlement, endProof: settlement.lifecycle.endProof };
}

function sameOrDrift(record: DispatchRecord, settlement: Settlement): DispatchRecord {
  if (decidedBy(record) === decidedBy(settlement)) return record;
  throw new DispatchStateError(
    'TERMINAL_RESULT_DRIFT',
    `${record.dispatchId} is settled as "${record.status}"; a second settlement says "${settlement.status}" or another result`,
    { hint: 'the first settlement stands; `bailiwick run show` tells what was settled' },
  );
}

/** Status, result and changes: what two settlements of one attempt must agree in. */
function decidedBy({ status, result, contract }: Pick<DispatchRecord, 'status' | 'result' | 'contract'>): string {
  const changes = changeSummaryOf(contract?.audit ?? null);
  return canonicalJson({ status, artifacts: result?.artifacts ?? [], changes });
}
