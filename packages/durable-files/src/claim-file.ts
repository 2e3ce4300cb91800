import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolder } from './flush-folder.ts';
import { notRegular } from './open-regular.ts';
import { discardUnfinished } from './staging.ts';
import { mapSystemError, mapWriteError, systemCodeOf } from './system-errors.ts';
import { DEFAULT_MODE } from './write-text.ts';

/**
 * Creates a file that must not exist yet; of any number of claimers one succeeds. Durable when it returns. Whoever
 * reads a claim with text while it is made, or after a crash in between, can find it empty: where that matters, use
 * an exclusive `writeTextFile`.
 *
 * @returns false when something is there already (a dangling symlink too)
 * @throws DurableFileError DISK_FULL, FOLDER_MISSING, NO_PERMISSION, READ_ONLY
 */
export async function claimFile(path: string, text = ''): Promise<boolean> {
  const descriptor = create(path);
  if (descriptor === undefined) return false;
  fill(descriptor, path, text);
  await flushFolder(dirname(path));
  return true;
}

/** How a file is removed. */
export interface RemoveOptions {
  /** False returns before the removal is durable, for what does no harm where a power cut brings it back. */
  readonly flush?: boolean;
}

/**
 * Removes a file (of a symlink, the link itself); durable when it returns, unless told otherwise.
 *
 * @returns false when nothing is there
 * @throws DurableFileError NOT_A_REGULAR_FILE (a folder), NO_PERMISSION, READ_ONLY
 */
export async function removeFile(path: string, { flush = true }: RemoveOptions = {}): Promise<boolean> {
  try {
    unlinkSync(path);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT') return false;
    throw code === 'EISDIR' ? notRegular(path) : mapSystemError(error, path, 'removing');
  }
  if (flush) await flushFolder(dirname(path));
  return true;
}

function create(path: string): number | undefined {
  try {
    return openSync(path, 'wx', DEFAULT_MODE);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return undefined;
    throw mapWriteError(error, path, 'claiming');
  }
}

function fill(descriptor: number, path: string, text: string): void {
  try {
    const bytes = Buffer.from(text, 'utf8');
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(descriptor, bytes, done);
    if (bytes.byteLength > 0) fsyncSync(descriptor);
  } catch (error) {
    discardUnfinished(path);
    throw mapWriteError(error, path, 'claiming');
  } finally {
    closeSync(descriptor);
  }
}
