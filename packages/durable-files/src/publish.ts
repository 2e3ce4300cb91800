import { linkSync, lstatSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DurableFileError } from './errors.ts';
import { flushFolder } from './flush-folder.ts';
import { notRegular } from './open-regular.ts';
import { discardUnfinished } from './staging.ts';
import { systemCodeOf } from './system-errors.ts';
import { acquireLock } from './wait-for-lock.ts';

/**
 * Puts a finished, flushed staging file in its place, in one step that readers see whole or not at all, and makes that
 * durable. The staging name is gone when this returns.
 *
 * @throws DurableFileError NOT_A_REGULAR_FILE; with `exclusive` FILE_EXISTS, for all but one of any number of writers
 */
export async function publishStaging(staging: string, path: string, exclusive: boolean): Promise<void> {
  refuseOddDestination(path);
  if (exclusive) await linkExclusively(staging, path);
  else renameSync(staging, path);
  await flushFolder(dirname(path));
}

/** Refuses a destination that is neither missing nor a regular file: a symlink would lead the write elsewhere. */
export function refuseOddDestination(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw notRegular(path);
}

/** What is thrown when an exclusive write comes second. */
export function alreadyThere(path: string, cause?: unknown): DurableFileError {
  return new DurableFileError('FILE_EXISTS', 'the file is already there', {
    path,
    hint: 'It was not changed; somebody else wrote it first',
    ...(cause === undefined ? {} : { cause }),
  });
}

async function linkExclusively(staging: string, path: string): Promise<void> {
  try {
    linkSync(staging, path);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'EEXIST') throw alreadyThere(path, error);
    if (!cannotLink.has(code)) throw error;
    return renameUnderLock(staging, path);
  }
  discardUnfinished(staging);
}

// What file systems without hard links answer (exFAT, some FUSE, Android's storage).
const cannotLink: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

// There every exclusive writer of the folder comes through this lock, which a writer that dies gives back.
async function renameUnderLock(staging: string, path: string): Promise<void> {
  const lockPath = join(dirname(path), '.exclusive.staging-lock');
  const lock = await acquireLock(lockPath);
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(path);
    renameSync(staging, path);
  } finally {
    lock.release();
  }
}
