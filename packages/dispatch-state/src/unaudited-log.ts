import { appendLogLine, type JsonValue, readLog } from '@bailiwick/durable-files';
import type { UnauditedErrorRow, UnauditedEvent } from './model/unaudited.ts';
import { UnauditedErrorRowV1, UnauditedEventV1 } from './wire/dispatch-record-v1.ts';
import { defineRow } from './wire/log-row.ts';
import { describing } from './wire/stored-form.ts';

const eventRow = defineRow<UnauditedEvent>(
  'event of an unaudited attempt',
  describing<UnauditedEvent, typeof UnauditedEventV1>(UnauditedEventV1),
);
const errorRow = defineRow<UnauditedErrorRow>(
  'error row of an unaudited attempt',
  describing<UnauditedErrorRow, typeof UnauditedErrorRowV1>(UnauditedErrorRowV1),
);

const LOG_VERSION = '1.0';

/** Appends those events that the log lacks since the attempt was claimed; the caller holds the run lock. Throws as `appendLogLine`. */
export async function appendUnauditedEvents(
  eventLogPath: string,
  events: readonly UnauditedEvent[],
  fromByte: number,
): Promise<void> {
  const known = new Set((await readUnauditedEvents(eventLogPath, fromByte)).map(keyOf));
  for (const event of events)
    if (!known.has(keyOf(event)))
      await appendLogLine(eventLogPath, eventRow.encode(event), { schemaVersion: LOG_VERSION });
}

/** The events of v1 jobs in a run's event log, in the order of appending. Throws DurableFileError as `readLog`. */
export async function readUnauditedEvents(eventLogPath: string, fromByte = 0): Promise<readonly UnauditedEvent[]> {
  const { rows } = await readLog(eventLogPath, { schemaVersion: LOG_VERSION, fromByte });
  return rows.map((row) => eventRow.decode(row)).filter((event) => event !== undefined);
}

/** Appends a failure's row unless it is there; the caller holds the run lock. Throws as `appendLogLine`. */
export async function appendUnauditedError(
  errorLogPath: string,
  row: UnauditedErrorRow,
  fromByte: number,
): Promise<void> {
  const known = await readUnauditedErrors(errorLogPath, fromByte);
  if (known.some(({ dispatchId }) => dispatchId === row.dispatchId)) return;
  await appendLogLine(errorLogPath, errorRow.encode(row), { schemaVersion: LOG_VERSION });
}

/** The rows of v1 jobs in a run's error log. Throws DurableFileError as `readLog`. */
export async function readUnauditedErrors(errorLogPath: string, fromByte = 0): Promise<readonly UnauditedErrorRow[]> {
  const { rows } = await readLog(errorLogPath, { schemaVersion: LOG_VERSION, fromByte });
  return rows.map((row) => errorRow.decode(row)).filter((row) => row !== undefined);
}

function keyOf({ type, details }: UnauditedEvent): string {
  return `${details.dispatchId} ${type}`;
}

/** True for a row of the event log that is about a v1 job. */
export function isUnauditedEvent(row: JsonValue): boolean {
  return eventRow.decode(row) !== undefined;
}
