import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const stagingPattern = /^\..+\.staging-/;

// write-file-atomic adds up to eleven characters of its own; a file name holds 255 bytes.
const MAX_NAME_CHARACTERS = 50;

/**
 * A new name in the destination's folder under which its next content is prepared. The random part can't be guessed, so
 * that nobody can put a symlink in its way. A process that dies leaves it behind; readers pass it over.
 */
export function stagingPathFor(path: string): string {
  const name = basename(path).slice(0, MAX_NAME_CHARACTERS);
  return join(dirname(path), `.${name}.staging-${randomBytes(12).toString('hex')}`);
}

/**
 * Whether a file name is one under which an atomic write prepares its content (possibly left by a process that
 * died).
 */
export function isStagingName(name: string): boolean {
  return stagingPattern.test(name);
}

/** Removes an unfinished file where it can. What is left of a staging file is passed over by readers. */
export function discardUnfinished(staging: string): void {
  try {
    rmSync(staging, { force: true });
  } catch {
    // The error that led here is the one to tell.
  }
}
