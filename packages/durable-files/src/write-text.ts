import { closeSync, constants, fstatSync, fsync, lstatSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { type Digest, digestOfBytes } from './digest.ts';
import { DurableFileError } from './errors.ts';
import { keepExitHooks } from './exit-hooks.ts';
import { alreadyThere, publishStaging, refuseOddDestination } from './publish.ts';
import { discardUnfinished, stagingPathFor } from './staging.ts';
import { mapWriteError } from './system-errors.ts';

const flush = promisify(fsync);

/** Readable by its owner only: prompts and results can hold what others shouldn't see. */
export const DEFAULT_MODE = 0o600;

/** How a file is written. */
export interface WriteOptions {
  /** Only where nothing is: of several writers at once exactly one wins. Default: replaces what is there. */
  readonly exclusive?: boolean;
  /** Permission bits, exactly (no umask). Default 0o600. */
  readonly mode?: number;
}

/**
 * Writes a whole text file, atomically: readers and crashes see the old content or the new, never a part. Content
 * and name are on disk when it returns. Calls of one process for one path take effect in the order they were made.
 * On any error what stood there before is whole.
 *
 * @returns the digest of the bytes written
 * @throws DurableFileError DISK_FULL, NOT_A_REGULAR_FILE (a symlink too), FILE_EXISTS (with `exclusive`),
 * FOLDER_MISSING, NO_PERMISSION, READ_ONLY and what else `mapSystemError` knows
 */
export async function writeTextFile(path: string, text: string, options: WriteOptions = {}): Promise<Digest> {
  return writeBytes(path, Buffer.from(text, 'utf8'), options);
}

/** As `writeTextFile`, of bytes. */
export async function writeBytes(path: string, bytes: Buffer, options: WriteOptions = {}): Promise<Digest> {
  const absolute = resolve(path);
  return afterEarlierWrites(absolute, () => replaceFile(absolute, bytes, options));
}

async function replaceFile(path: string, bytes: Buffer, options: WriteOptions): Promise<Digest> {
  const exclusive = options.exclusive === true;
  const staging = stagingPathFor(path);
  try {
    refuseOddDestination(path);
    if (exclusive && lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(path);
    keepExitHooks();
    // Its own flush would be waited for by the whole process, and its asynchronous form takes twice the time.
    writeFileAtomic.sync(staging, bytes, { mode: options.mode ?? DEFAULT_MODE, fsync: false });
    await flushWhole(staging, path, bytes);
    await publishStaging(staging, path, exclusive);
  } catch (error) {
    discardUnfinished(staging);
    throw mapWriteError(error, path, 'writing');
  }
  return digestOfBytes(bytes);
}

/** Flushes the staging file, once its size shows that it is whole. */
async function flushWhole(staging: string, path: string, bytes: Buffer): Promise<void> {
  const descriptor = openSync(staging, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    refuseShortFile(fstatSync(descriptor).size, path, bytes);
    await flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// write-file-atomic 8.0.0 tears a file on a full disk without an error.
function refuseShortFile(size: number, path: string, bytes: Buffer): void {
  if (size === bytes.byteLength) return;
  throw new DurableFileError('DISK_FULL', `only ${size} of ${bytes.byteLength} bytes could be written`, {
    path,
    hint: 'Free some space or raise the quota, then try again; what stood there before is whole',
  });
}

const earlierWrites = new Map<string, Promise<unknown>>();

// Without this, two writes of one owner that overlap could end with the older content.
async function afterEarlierWrites<T>(path: string, write: () => Promise<T>): Promise<T> {
  const earlier = earlierWrites.get(path) ?? Promise.resolve();
  const mine = earlier.then(write, write);
  earlierWrites.set(path, mine);
  try {
    return await mine;
  } finally {
    if (earlierWrites.get(path) === mine) earlierWrites.delete(path);
  }
}
