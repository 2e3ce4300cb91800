import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DurableFileError } from './errors.ts';
import { mapSystemError, mapWriteError } from './system-errors.ts';

// Result codes of SQLite (sqlite.org/rescode.html); the extended ones carry the primary one in their low byte.
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const SQLITE_IOERR_LOCKS = new Set([2058, 2314, 3594, 3850]);

/** Whether SQLite failed because somebody else has the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === SQLITE_BUSY;
}

/** Makes an error of SQLite about a lock file into one of ours. */
export function mapLockError(error: unknown, path: string): DurableFileError {
  const details = { path, cause: error };
  if (SQLITE_IOERR_LOCKS.has(resultCodeOf(error) ?? 0)) {
    const hint = 'Use a folder on a local file system';
    return new DurableFileError('LOCKS_NOT_SUPPORTED', 'the file system gives no locks', { ...details, hint });
  }
  switch (primaryCodeOf(error)) {
    case SQLITE_CANTOPEN:
      return cannotWrite(dirname(path)) ?? mapSystemError(error, path, 'locking');
    case SQLITE_READONLY:
      return cannotWrite(path) ?? mapSystemError(error, path, 'locking');
    case SQLITE_NOTADB:
      return new DurableFileError('LOCK_FILE_DAMAGED', 'this is not a lock file', {
        ...details,
        hint: 'Look at what wrote it',
      });
    default:
      return mapSystemError(error, path, 'locking');
  }
}

// SQLite doesn't say why it can't open a file or opened it for reading only; the operating system does.
function cannotWrite(path: string): DurableFileError | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return mapWriteError(error, path, 'locking');
  }
}

function primaryCodeOf(error: unknown): number | undefined {
  const code = resultCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function resultCodeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
