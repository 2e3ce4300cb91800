import { existsSync } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { MutationAuditError } from '../errors.ts';
import { parentOf } from '../git/locate.ts';
import { systemCode } from '../tree/folder-reader.ts';

/**
 * Writes pieces to a new file without holding up the thread: staged beside it, its size checked, flushed, linked into place, and the
 * folder flushed. Never replaces: SNAPSHOT_EXISTS where something is there, SNAPSHOT_WRITE_FAILED for anything else. Durable when it
 * returns.
 */
export async function writeNewFile(path: string, pieces: readonly Buffer[], stagingId: string): Promise<number> {
  const staged = `${path}.staging-${stagingId}`;
  await makeFolder(path);
  try {
    const bytes = await writeStaged(staged, pieces);
    await putInPlace(staged, path);
    return bytes;
  } catch (cause) {
    throw writeError(path, cause);
  } finally {
    await rm(staged, { force: true });
    await flushFolder(parentOf(path));
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(parentOf(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw writeFailed(path, cause);
  }
}

/** A link fails where something is there already, a rename would replace it; file systems without links get the rename. */
async function putInPlace(staged: string, path: string): Promise<void> {
  try {
    await link(staged, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || existsSync(path)) throw error;
    await rename(staged, path);
  }
}

async function writeStaged(path: string, pieces: readonly Buffer[]): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
    for (const piece of pieces) await file.writeFile(piece);
    if ((await file.stat()).size !== total) throw new Error('the file is shorter than what was written');
    await file.sync();
    return total;
  } finally {
    await file.close();
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

async function flushFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    // Some file systems refuse to flush a folder; the file itself is flushed.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'ENOENT', 'EPERM'].includes(systemCode(error))) throw error;
  }
}
