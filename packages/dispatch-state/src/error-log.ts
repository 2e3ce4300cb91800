import { appendLogLines, readLog } from '@bailiwick/durable-files';
import type { ErrorRow } from './model/lead-event.ts';
import { ErrorRowV1 } from './wire/lead-event-v1.ts';
import { defineRow } from './wire/log-row.ts';
import { describing } from './wire/stored-form.ts';

const ERROR_LOG_VERSION = '1.0';

const errorRow = defineRow<ErrorRow>('error row', describing<ErrorRow, typeof ErrorRowV1>(ErrorRowV1));

/** How much of an agent's log an error row keeps (EV-2). */
export const LOG_TAIL_BYTES = 800;

/**
 * Appends one row, durable when it returns. Callers hold the run lock where "once" matters.
 *
 * @throws DispatchStateError LOG_ROW_INVALID; DurableFileError as `appendLogLine`
 */
export async function appendErrorRow(errorLogPath: string, row: ErrorRow): Promise<void> {
  await appendErrorRows(errorLogPath, [row]);
}

/** As `appendErrorRow`, of several in their order, with one flush; none is appended where one is invalid. */
export async function appendErrorRows(errorLogPath: string, rows: readonly ErrorRow[]): Promise<void> {
  const encoded = rows.map((row) => errorRow.encode(row));
  if (encoded.length > 0) await appendLogLines(errorLogPath, encoded, { schemaVersion: ERROR_LOG_VERSION });
}

/** The rows from `fromByte` on, in the order of appending; a line that is torn or isn't ours is passed over. Throws DurableFileError as `readLog`. */
export async function readErrorRows(errorLogPath: string, fromByte = 0): Promise<readonly ErrorRow[]> {
  const { rows } = await readLog(errorLogPath, { schemaVersion: ERROR_LOG_VERSION, fromByte });
  return rows.map((row) => errorRow.decode(row)).filter((row) => row !== undefined);
}
