import { appendLogLines, readLog } from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { EventDetails, LeadEvent } from './model/lead-event.ts';
import { isUnauditedEvent } from './unaudited-log.ts';
import { LeadEventV1 } from './wire/lead-event-v1.ts';
import { defineRow } from './wire/log-row.ts';
import { describing } from './wire/stored-form.ts';

/** What can happen to an attempt, as told to whoever follows the run (EV-1). */
export const LeadEventType = {
  workerDispatched: 'worker-dispatched',
  workerRetryScheduled: 'worker-retry-scheduled',
  workerResultCollected: 'worker-result-collected',
  workerFailed: 'worker-failed',
} as const;
export type LeadEventType = (typeof LeadEventType)[keyof typeof LeadEventType];

const EVENT_LOG_VERSION = '1.0';

const eventRow = defineRow<LeadEvent>('lead event', describing<LeadEvent, typeof LeadEventV1>(LeadEventV1));

/** What an event is identified by: an attempt has one of each type (ST-4). */
export type EventKey = `${DispatchId} ${LeadEventType}`;

/** The key of an event; two events of one key are the same event. */
export function eventKeyOf(event: LeadEvent): EventKey {
  return `${event.details.dispatchId} ${event.type}`;
}

/** What every event says of its attempt, copied from the record and never inferred (ID-6). */
export function commonDetailsOf(record: DispatchRecord): EventDetails {
  return {
    dispatchId: record.dispatchId,
    participantRef: record.participantRef,
    roleExecutionRef: record.roleExecutionRef,
    invocationRef: record.invocationRef,
    executionLabel: record.executionLabel,
    dutyId: record.dutyId,
    attempt: record.attempt,
    maxAttempts: record.maxAttempts,
    dispatchMode: record.backend,
    promptPath: record.promptPath,
    resultPath: record.resultPath,
    workerResultPath: record.workerResultPath,
    paneId: record.paneId,
    degradedFrom: record.degradedFrom,
  };
}

/**
 * Appends one event, durable when it returns; any number of processes may append at once. Callers hold the run lock where "once" matters.
 *
 * @throws DispatchStateError LOG_ROW_INVALID; DurableFileError as `appendLogLine`
 */
export async function appendLeadEvent(eventLogPath: string, event: LeadEvent): Promise<void> {
  await appendLeadEvents(eventLogPath, [event]);
}

/** As `appendLeadEvent`, of several in their order, with one flush; none is appended where one is invalid. */
export async function appendLeadEvents(eventLogPath: string, events: readonly LeadEvent[]): Promise<void> {
  const rows = events.map((event) => eventRow.encode(event));
  if (rows.length > 0) await appendLogLines(eventLogPath, rows, { schemaVersion: EVENT_LOG_VERSION });
}

/**
 * The events of a run's v2 jobs in the order of appending (`readUnauditedEvents` gives the others); lines that are torn or aren't events of
 * ours are counted in `unreadable`, not fatal.
 * `fromByte` is where to begin: a record names the size that the log had when its attempt was claimed.
 *
 * @throws DurableFileError DOCUMENT_NEWER_VERSION for a log of a newer version, and as `readLog`
 */
export async function readLeadEvents(
  eventLogPath: string,
  fromByte = 0,
): Promise<{ events: readonly LeadEvent[]; unreadable: number }> {
  const { rows, torn } = await readLog(eventLogPath, { schemaVersion: EVENT_LOG_VERSION, fromByte });
  const events = rows.map((row) => eventRow.decode(row)).filter((event) => event !== undefined);
  return { events, unreadable: torn.length + rows.length - events.length - rows.filter(isUnauditedEvent).length };
}
