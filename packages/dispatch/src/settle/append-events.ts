import {
  appendErrorRows,
  appendLeadEvents,
  type DispatchRecord,
  type ErrorRow,
  eventKeyOf,
  type LeadEvent,
  LOG_TAIL_BYTES,
  readErrorRows,
  readLeadEvents,
  readTail,
  withRunLock,
} from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import type { ErrorLogAppend } from './lead-event.ts';

/** An attempt's record and events that its run's log is to hold. */
export interface OwedEvents {
  readonly record: DispatchRecord;
  readonly events: readonly LeadEvent[];
}

/**
 * Appends those of some attempts' events that the log lacks: each exactly once, whoever comes (ST-4), with one flush for all. Only the
 * log's part since the first of them was claimed is read, so that the cost doesn't grow with the run.
 */
export async function appendMissingEvents(context: DispatchContext, owed: readonly OwedEvents[]): Promise<void> {
  const { eventLogPath } = context.layout;
  await withRunLock(context.layout, async () => {
    const from = Math.min(...owed.map(({ record }) => record.eventLogOffset));
    const { events: present } = await readLeadEvents(eventLogPath, from);
    const known = new Set(present.map(eventKeyOf));
    const missing = owed.flatMap(({ events }) => events.filter((event) => !known.has(eventKeyOf(event))));
    await appendLeadEvents(eventLogPath, missing);
  });
}

/**
 * Writes each failure's one row to the error log, with one flush for all; a row that can't be written is reported, never fatal (EV-2). The
 * answers come in the order of the records.
 */
export async function noteFailures(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  at: string,
): Promise<readonly NonNullable<ErrorLogAppend>[]> {
  if (records.length === 0) return [];
  try {
    await appendMissingRows(context, records, at);
    return records.map(() => ({ ok: true, reason: '' }));
  } catch (error) {
    if (records.length === 1) return [{ ok: false, reason: error instanceof Error ? error.message : String(error) }];
  }
  // One of them may be to blame for all.
  const each: NonNullable<ErrorLogAppend>[] = [];
  for (const record of records) each.push(...(await noteFailures(context, [record], at)));
  return each;
}

async function appendMissingRows(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  at: string,
): Promise<void> {
  const { errorLogPath } = context.layout;
  const rows = await mapSeveral(records, (record) => errorRowOf(context, record, at));
  await withRunLock(context.layout, async () => {
    const from = Math.min(...records.map((record) => record.errorLogOffset));
    const known = new Set((await readErrorRows(errorLogPath, from)).map((row) => row.dispatchId));
    await appendErrorRows(
      errorLogPath,
      rows.filter((row) => !known.has(row.dispatchId)),
    );
  });
}

async function errorRowOf(context: DispatchContext, record: DispatchRecord, at: string): Promise<ErrorRow> {
  const { dispatchId, participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt, logPath } =
    record;
  return {
    at,
    runId: context.manifest.runId,
    dispatchId,
    participantRef,
    roleExecutionRef,
    invocationRef,
    executionLabel,
    dutyId,
    attempt,
    message: record.reason,
    logPath,
    logTail: await readTail(logPath, LOG_TAIL_BYTES),
  };
}
