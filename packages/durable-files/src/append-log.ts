import { closeSync, constants, fdatasync, fstatSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { DurableFileError, isDurableFileError } from './errors.ts';
import { refuseHeldLockFile } from './held-locks.ts';
import { findNonJson, type JsonValue } from './json-value.ts';
import { notRegular } from './open-regular.ts';
import { mapWriteError, systemCodeOf } from './system-errors.ts';
import { DEFAULT_MODE, writeTextFile } from './write-text.ts';

const flush = promisify(fdatasync);

/** How a row is appended. */
export interface AppendOptions {
  /** What the log's header says when this call makes the log. */
  readonly schemaVersion: string;
  /**
   * False leaves it to the operating system when the row reaches the disk: a crash of the process loses nothing, a
   * power cut may. Default true.
   */
  readonly flush?: boolean;
}

/**
 * Appends one row to a log, as one line, in one write: any number of processes may append at once. The log is made
 * where it is missing, header first, exactly once. A row that was cut short (a full disk, a kill) costs only
 * itself: every row begins on a new line.
 *
 * @param row an object or an array (a number that was cut short would still look like one)
 * @throws DurableFileError DISK_FULL (the row doesn't count), VALUE_NOT_JSON, NOT_A_REGULAR_FILE (a symlink too),
 * FOLDER_MISSING, NO_PERMISSION, READ_ONLY
 */
export async function appendLogLine(path: string, row: JsonValue, options: AppendOptions): Promise<void> {
  await appendLogLines(path, [row], options);
}

/**
 * As `appendLogLine`, of several rows, each in a write of its own and all with one flush. None is appended where one isn't a row;
 * where a write fails, those before it are.
 */
export async function appendLogLines(path: string, rows: readonly JsonValue[], options: AppendOptions): Promise<void> {
  const lines = rows.map((row) => Buffer.from(`\n${textOfRow(path, row)}\n`, 'utf8'));
  const descriptor = openForAppending(path) ?? (await makeLog(path, options.schemaVersion));
  try {
    if (!fstatSync(descriptor).isFile()) throw notRegular(path);
    for (const line of lines) appendWhole(descriptor, path, line);
    if (options.flush !== false) await flush(descriptor);
  } catch (error) {
    throw mapWriteError(error, path, 'appending to the log');
  } finally {
    closeSync(descriptor);
  }
}

function textOfRow(path: string, row: JsonValue): string {
  const found = findNonJson(row, { undefinedMembers: 'dropped', loneSurrogates: 'kept' });
  const what = typeof row === 'object' && row !== null ? found?.what : 'this';
  if (what === undefined) return JSON.stringify(row);
  throw new DurableFileError('VALUE_NOT_JSON', 'a log row is a JSON object or array', {
    path,
    issues: [{ path: found?.pointer ?? '', message: `${what} is not` }],
  });
}

function openForAppending(path: string): number | undefined {
  refuseHeldLockFile(path);
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw mapWriteError(error, path, 'appending to the log');
  }
}

async function makeLog(path: string, schemaVersion: string): Promise<number> {
  try {
    // Exclusive, and the header is in the file before it has its name: nobody can append before it.
    await writeTextFile(path, `${JSON.stringify({ schemaVersion })}\n`, { exclusive: true, mode: DEFAULT_MODE });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
  }
  const descriptor = openForAppending(path);
  if (descriptor !== undefined) return descriptor;
  throw new DurableFileError('FILE_MISSING', 'the log was removed while it was made', { path });
}

// The rest of a short write isn't sent after it: another process may have appended in between.
function appendWhole(descriptor: number, path: string, line: Buffer): void {
  const written = writeSync(descriptor, line, 0, line.byteLength);
  if (written === line.byteLength) return;
  throw new DurableFileError('DISK_FULL', `only ${written} of ${line.byteLength} bytes of a row were written`, {
    path,
    hint: 'Free some space, then append it again; readers pass over the part that was written',
  });
}
