import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { MutationAuditError } from '../errors.ts';
import { parentOf } from '../git/locate.ts';
import { systemCode } from '../tree/folder-reader.ts';

/**
 * Writes pieces to a new file: staged beside it, its size checked, flushed, linked into place, and the folder flushed. Never replaces:
 * SNAPSHOT_EXISTS where something is there, SNAPSHOT_WRITE_FAILED for anything else. Durable when it returns.
 */
export function writeNewFile(path: string, pieces: readonly Buffer[], stagingId: string): number {
  const staged = `${path}.staging-${stagingId}`;
  makeFolder(path);
  try {
    const bytes = writeStaged(staged, pieces);
    putInPlace(staged, path);
    return bytes;
  } catch (cause) {
    throw writeError(path, cause);
  } finally {
    removeQuietly(staged);
    flushFolder(parentOf(path));
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(parentOf(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw writeFailed(path, cause);
  }
}

/** A link fails where something is there already, a rename would replace it; file systems without links get the rename. */
function putInPlace(staged: string, path: string): void {
  try {
    linkSync(staged, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || existsSync(path)) throw error;
    renameSync(staged, path);
  }
}

function writeStaged(path: string, pieces: readonly Buffer[]): number {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
    writeAll(descriptor, pieces);
    if (fstatSync(descriptor).size !== total) throw new Error('the file is shorter than what was written');
    fsyncSync(descriptor);
    return total;
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, pieces: readonly Buffer[]): void {
  for (const piece of pieces) {
    for (let rest = piece; rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest));
  }
}

function writeError(path: string, cause: unknown): MutationAuditError {
  if (systemCode(cause) !== 'EEXIST') return writeFailed(path, cause);
  return new MutationAuditError('SNAPSHOT_EXISTS', `A snapshot is already at ${path}; a baseline is never replaced.`, {
    path,
    cause,
    hint: 'Give the new batch a path of its own.',
  });
}

function writeFailed(path: string, cause: unknown): MutationAuditError {
  return new MutationAuditError(
    'SNAPSHOT_WRITE_FAILED',
    `The snapshot ${path} could not be written (${systemCode(cause)}).`,
    { path, cause, hint: 'Free space or correct permissions, then retry; nothing was started.' },
  );
}

function removeQuietly(path: string): void {
  if (existsSync(path)) unlinkSync(path);
}

function flushFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch (error) {
    // Some file systems refuse to flush a folder; the file itself is flushed.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'ENOENT', 'EPERM'].includes(systemCode(error))) throw error;
  }
}
