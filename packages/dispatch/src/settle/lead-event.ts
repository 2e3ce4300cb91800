import { commonDetailsOf, type DispatchRecord, type LeadEvent } from '@bailiwick/dispatch-state';
import { displayPath, type MutationAudit } from '@bailiwick/mutation-audit';

/** Whether the failure's row reached the error log; null for an attempt that didn't fail. */
export type ErrorLogAppend = { readonly ok: boolean; readonly reason: string } | null;

/** An attempt's worker runs, or waits for a place. */
export function dispatchedEvent(record: DispatchRecord, at: string): LeadEvent {
  return { at, runId: runOf(record), type: 'worker-dispatched', details: commonDetailsOf(record) };
}

/** Every event of a terminal record, in the order in which they are appended (RT-4); pure. */
export function owedEvents(record: DispatchRecord, at: string, append: ErrorLogAppend): readonly LeadEvent[] {
  const wasStarted = record.process !== null;
  return [...(wasStarted ? [dispatchedEvent(record, at)] : []), ...endEvents(record, at, append)];
}

function endEvents(record: DispatchRecord, at: string, append: ErrorLogAppend): readonly LeadEvent[] {
  const end = record.status === 'completed' ? collected(record, at, append) : failed(record, at, append);
  return record.retry === null ? [end] : [end, retryScheduled(record, at, record.retry)];
}

function collected(record: DispatchRecord, at: string, append: ErrorLogAppend): LeadEvent {
  return {
    at,
    runId: runOf(record),
    type: 'worker-result-collected',
    details: {
      ...commonDetailsOf(record),
      ...endDetails(record, append),
      resultLink: record.result?.link ?? { ok: false, reason: 'no link was made' },
      postProcessing: [...(record.result?.postProcessing ?? [])],
    },
  };
}

function failed(record: DispatchRecord, at: string, append: ErrorLogAppend): LeadEvent {
  return {
    at,
    runId: runOf(record),
    type: 'worker-failed',
    details: {
      ...commonDetailsOf(record),
      ...endDetails(record, append),
      missingCompletionPaths: [...(record.result?.missing ?? [])],
      stoppedBy: record.stoppedBy,
      postProcessing: [...(record.result?.postProcessing ?? [])],
    },
  };
}

function retryScheduled(record: DispatchRecord, at: string, retry: NonNullable<DispatchRecord['retry']>): LeadEvent {
  return {
    at,
    runId: runOf(record),
    type: 'worker-retry-scheduled',
    details: {
      ...commonDetailsOf(record),
      reason: retry.reason,
      missingCompletionPaths: [...retry.missingCompletionPaths],
      successor: retry.successor,
    },
  };
}

function endDetails(record: DispatchRecord, append: ErrorLogAppend) {
  return {
    exitCode: record.lifecycle?.exitCode ?? null,
    reason: record.reason,
    mutationAudit: summaryOf(record.contract?.audit ?? null),
    errorLogAppend: append,
  };
}

function summaryOf(audit: MutationAudit | null) {
  if (audit === null) return null;
  const violations = audit.violations.map(({ code, path, message }) => ({
    code,
    path: path === undefined ? '' : displayPath(path),
    message,
  }));
  return { status: audit.status, changedPaths: audit.changedPaths.length, violations, attribution: audit.attribution };
}

function runOf(record: DispatchRecord): string {
  return record.runId;
}
