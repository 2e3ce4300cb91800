import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { DurableFileError } from './errors.ts';
import { refuseHeldLockFile } from './held-locks.ts';
import { mapSystemError, systemCodeOf } from './system-errors.ts';

/** How a file is opened for reading. */
export interface OpenRules {
  /** Follow a symlink in the last part of the path: for a file that a person keeps. Default: refused. */
  readonly followLinks?: boolean;
  /** A folder that the file must really lie in, with every symlink of the path resolved. */
  readonly within?: string;
}

export interface OpenedFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file for reading, and nothing else: never waits for a pipe's writer, never follows a planted symlink.
 * The caller closes the descriptor.
 *
 * @returns undefined when nothing is there
 * @throws DurableFileError NOT_A_REGULAR_FILE, FILE_TOO_LARGE, PATH_ESCAPES, LOCK_FILE_IN_USE, NO_PERMISSION and
 * the like
 */
export function openRegularFile(path: string, rules: OpenRules & { maxBytes: number }): OpenedFile | undefined {
  refuseHeldLockFile(path);
  const descriptor = openForReading(path, rules.followLinks === true);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notRegular(path);
    if (stats.size > rules.maxBytes) throw tooLarge(path, rules.maxBytes);
    if (rules.within !== undefined) refuseEscape(path, stats, rules.within);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw mapSystemError(error, path, 'reading');
  }
}

/** What is thrown where a regular file should be and something else is. */
export function notRegular(path: string): DurableFileError {
  return new DurableFileError('NOT_A_REGULAR_FILE', 'this is not a regular file', {
    path,
    hint: 'Look at what lies there; it was neither read nor replaced',
  });
}

/** What is thrown when a file is larger than allowed. */
export function tooLarge(path: string, maxBytes: number): DurableFileError {
  return new DurableFileError('FILE_TOO_LARGE', `the file is larger than ${maxBytes} bytes`, {
    path,
    hint: 'It was not read; check what wrote it, or allow more',
  });
}

function openForReading(path: string, followLinks: boolean): number | undefined {
  const noFollow = followLinks ? 0 : constants.O_NOFOLLOW;
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw mapSystemError(error, path, 'reading');
  }
}

// The descriptor is open already, so exchanging a folder for a symlink after this check changes nothing any more.
function refuseEscape(path: string, opened: Stats, within: string): void {
  const real = realpathSync.native(path);
  const inside = relative(realpathSync.native(within), real);
  const now = lstatSync(real);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
  if (isInside && now.ino === opened.ino && now.dev === opened.dev) return;
  throw new DurableFileError('PATH_ESCAPES', `the file does not lie in ${within}`, {
    path,
    hint: 'A symlink in its path leads elsewhere; it was not read',
  });
}
