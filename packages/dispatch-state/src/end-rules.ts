import type { DocumentIssue } from '@bailiwick/durable-files';
import { sealKeyOf, splitDispatchId } from '@bailiwick/execution-identity';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { Lifecycle, ResultOutcome } from './model/outcome.ts';
import { isTerminalStatus } from './stages.ts';

/** A record whose parts of the end are all there. */
type EndedRecord = DispatchRecord & { readonly lifecycle: Lifecycle; readonly result: ResultOutcome } & {
  readonly contract: NonNullable<DispatchRecord['contract']>;
  readonly evidence: NonNullable<DispatchRecord['evidence']>;
};

const END_FIELDS = ['finishedAt', 'lifecycle', 'contract', 'result', 'evidence'] as const;
const BEFORE_NO_END = [...END_FIELDS, 'retry', 'endProof', 'stoppedBy'] as const;

/**
 * What can't be true of how a record ended, whoever decided it: status, lifecycle, contract and result are written together, and
 * none of them may say what another one rules out.
 */
export function endIssues(record: DispatchRecord): readonly DocumentIssue[] {
  if (!isTerminalStatus(record.status)) return fieldsThatStand(record, BEFORE_NO_END);
  if (!hasEnded(record)) return fieldsThatLack(record);
  return [
    ...partsThatDisagree(record),
    ...evidenceIssues(record),
    ...(record.status === 'completed' ? againstCompletion(record) : []),
    ...(record.status === 'timeout' ? againstTimeout(record) : []),
    ...(record.retry === null ? [] : againstRetry(record, record.retry)),
  ];
}

function hasEnded(record: DispatchRecord): record is EndedRecord {
  return END_FIELDS.every((field) => record[field] !== null);
}

function fieldsThatStand(record: DispatchRecord, fields: typeof BEFORE_NO_END): readonly DocumentIssue[] {
  return fields
    .filter((field) => record[field] !== null)
    .map((field) => ({ path: `/${field}`, message: `stands although status is "${record.status}"` }));
}

function fieldsThatLack(record: DispatchRecord): readonly DocumentIssue[] {
  return END_FIELDS.filter((field) => record[field] === null).map((field) => ({
    path: `/${field}`,
    message: `is null although status is "${record.status}"`,
  }));
}

function partsThatDisagree(record: EndedRecord): readonly DocumentIssue[] {
  const { status, lifecycle, contract, result, writeEnforcement } = record;
  const isVoid = (contract.layer?.alteredCount ?? 0) > 0;
  return findings([
    [record.endProof !== lifecycle.endProof, '/endProof', `is not the lifecycle's "${lifecycle.endProof}"`],
    [contract.audited !== (contract.audit !== null), '/contract/audited', 'does not say whether an audit stands'],
    [result.isTaken !== (status === 'completed'), '/result/isTaken', `does not go with status "${status}" (MA-6)`],
    [
      isVoid && result.verdict !== null,
      '/result/verdict',
      "is of source altered in its layer, not of the tree's (ST-8)",
    ],
    [contract.layer !== undefined && writeEnforcement.layer === undefined, '/contract/layer', 'was not in force'],
    [(record.stoppedBy !== null) !== (status === 'stopped'), '/stoppedBy', `does not go with status "${status}"`],
  ]);
}

/** The attempt names its own seal, or says why it has none (EV-3). */
function evidenceIssues({ evidence, invocationRef, attempt }: EndedRecord): readonly DocumentIssue[] {
  const { sealRef, reason } = evidence;
  return findings([
    [(sealRef === null) === (reason === null), '/evidence', 'names either its seal or why it has none'],
    [sealRef !== null && sealRef !== sealKeyOf(invocationRef, attempt), '/evidence/sealRef', "is another attempt's"],
  ]);
}

/** ST-1, as far as the record holds it. */
function againstCompletion({ lifecycle, contract, result }: EndedRecord): readonly DocumentIssue[] {
  const verdict = contract.audit?.status ?? 'none';
  return findings([
    [lifecycle.end !== 'exited', '/lifecycle/end', `"${lifecycle.end}" completes nothing`],
    [lifecycle.endEvidence !== 'positive', '/lifecycle/endEvidence', 'a completion has positive evidence (ST-7)'],
    [result.missing.length > 0, '/result/missing', 'nothing is missing from a completion'],
    [verdict !== 'ok' && verdict !== 'failed-no-mutation', '/contract/audit', `verdict ${verdict} bars completion`],
  ]);
}

/** Time limits are facts of the supervisor's stage; an exit code is none (ST-2). */
function againstTimeout({ lifecycle }: EndedRecord): readonly DocumentIssue[] {
  const isLimit = lifecycle.end === 'timed-out' || lifecycle.end === 'idle-timed-out';
  return findings([[!isLimit, '/lifecycle/end', `"${lifecycle.end}" is no time limit`]]);
}

/** RT-1: never after a mismatch, violation, stop, time limit or failed launch, and never above the limit of attempts. */
function againstRetry(record: EndedRecord, retry: NonNullable<DispatchRecord['retry']>): readonly DocumentIssue[] {
  const isAllowed = record.contract.audit?.retryAllowed === true;
  const isNext = splitDispatchId(retry.successor).attempt === record.attempt + 1;
  return findings([
    [record.status !== 'error', '/retry', `nothing is tried again after status "${record.status}"`],
    [record.lifecycle.end !== 'exited', '/retry', `nothing is tried again after the end "${record.lifecycle.end}"`],
    [!isAllowed, '/retry', 'the audit does not allow a retry'],
    [record.attempt >= record.maxAttempts, '/retry', `attempt ${record.attempt} was the last`],
    [!isNext, '/retry/successor', `is not attempt ${record.attempt + 1}`],
  ]);
}

function findings(rows: readonly (readonly [boolean, string, string])[]): readonly DocumentIssue[] {
  return rows.filter(([isFound]) => isFound).map(([, path, message]) => ({ path, message }));
}
