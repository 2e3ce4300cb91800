import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DurableFileError } from './errors.ts';
import { flushFolder } from './flush-folder.ts';
import { isStagingName } from './staging.ts';
import { mapSystemError, systemCodeOf } from './system-errors.ts';

/** Entered by its owner only. */
const DEFAULT_FOLDER_MODE = 0o700;

/**
 * Makes a folder and those above it, where they are missing; the new ones are durable when it returns.
 *
 * @param options.mode permission bits of new folders, less the umask; default 0o700
 * @throws DurableFileError NOT_A_FOLDER, DISK_FULL, NO_PERMISSION, READ_ONLY
 */
export async function ensureFolder(path: string, options: { mode?: number } = {}): Promise<void> {
  for (const made of makeFolders(resolve(path), options.mode ?? DEFAULT_FOLDER_MODE)) await flushFolder(dirname(made));
}

/**
 * The names in a folder, sorted by code unit. What an atomic write is preparing there, or left when its process
 * died, isn't listed.
 *
 * @returns an empty list when the folder is missing
 * @throws DurableFileError NOT_A_FOLDER, NO_PERMISSION
 */
export async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return readdirSync(path)
      .filter((name) => !isStagingName(name))
      .sort();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw mapSystemError(error, path, 'listing the folder');
  }
}

/** Whether a folder is at a path; a link to one is none, nor is one that can't be looked at. */
export async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

// Not mkdir's own recursion: for an error that it doesn't expect (a read-only file system), Node reports ENOENT
// instead.
function makeFolders(path: string, mode: number): readonly string[] {
  const parent = dirname(path);
  try {
    return makeOne(path, mode);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT' || parent === path) throw mapSystemError(error, path, 'making the folder');
  }
  const above = makeFolders(parent, mode);
  try {
    return [...above, ...makeOne(path, mode)];
  } catch (error) {
    throw mapSystemError(error, path, 'making the folder');
  }
}

/** The folder, if it is new. */
function makeOne(path: string, mode: number): readonly string[] {
  try {
    mkdirSync(path, { mode });
    return [path];
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    throw new DurableFileError('NOT_A_FOLDER', 'something else stands where the folder should be', {
      path,
      cause: error,
    });
  }
}
