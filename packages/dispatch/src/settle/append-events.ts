import {
  appendErrorRow,
  appendLeadEvent,
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

/**
 * Appends those of an attempt's events that its log lacks: each exactly once, whoever comes (ST-4). Only the log's part
 * since the attempt was claimed is read, so that the cost doesn't grow with the run.
 */
export async function appendMissingEvents(
  context: DispatchContext,
  record: DispatchRecord,
  events: readonly LeadEvent[],
): Promise<void> {
  await withRunLock(context.layout, async () => {
    const { events: present } = await readLeadEvents(context.layout.eventLogPath, record.eventLogOffset);
    const known = new Set(present.map(eventKeyOf));
    for (const event of events)
      if (!known.has(eventKeyOf(event))) await appendLeadEvent(context.layout.eventLogPath, event);
  });
}

/** Writes a failure's one row to the error log; a log that can't be written is reported, never fatal (EV-2). */
export async function noteFailure(
  context: DispatchContext,
  record: DispatchRecord,
  at: string,
): Promise<{ readonly ok: boolean; readonly reason: string }> {
  try {
    const row = await errorRowOf(context, record, at);
    await withRunLock(context.layout, async () => {
      const rows = await readErrorRows(context.layout.errorLogPath, record.errorLogOffset);
      if (!rows.some((known) => known.dispatchId === record.dispatchId))
        await appendErrorRow(context.layout.errorLogPath, row);
    });
    return { ok: true, reason: '' };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
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
