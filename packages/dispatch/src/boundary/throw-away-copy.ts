import { constants } from 'node:fs';
import { copyFile, lstat, lutimes, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathName } from '@bailiwick/mutation-audit';
import { LayerFolder, removeLayer } from '@bailiwick/process-supervision';
import type { WritePolicy } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import { ignoredFoldersOf, outlineForCopy } from './plan-layer.ts';

/** Its change time is later than that of every file of the copy, and earlier than that of what a worker writes. */
const MADE = 'made';

/**
 * Copies a work tree into a layer's folder, without its ignored folders, which it gives back to be bound there. Modes and
 * times are kept, so that build tools see what they know. Throws a plain Error where the tree has grown too large meanwhile.
 */
export async function makeThrowAwayCopy(
  context: DispatchContext,
  policy: WritePolicy,
  folder: string,
): Promise<readonly string[]> {
  const { worktree } = policy;
  const outline = await outlineForCopy(context, policy);
  if (outline.kind === 'too-large')
    throw new Error(`${worktree} has become too large for a copy (${outline.files} files)`);
  await removeLayer({ folder });
  const copy = join(folder, LayerFolder.copy);
  await mkdir(copy, { recursive: true, mode: 0o700 });
  for (const path of outline.folders) await mkdir(below(copy, path), { recursive: true });
  await mapSeveral(outline.files, (path) => copyOne(below(worktree, path), below(copy, path)));
  await writeFile(join(folder, MADE), '');
  return ignoredFoldersOf(outline, worktree);
}

/** When a copy was complete, by the clock of its file system; undefined where there is none. */
export async function copyMadeAtNs(folder: string): Promise<bigint | undefined> {
  const stats = await lstat(join(folder, MADE), { bigint: true }).catch(() => undefined);
  return stats?.ctimeNs;
}

/** A file that went since the tree was outlined is none of the copy. */
async function copyOne(from: Buffer, to: Buffer): Promise<void> {
  try {
    const stats = await lstat(from);
    if (stats.isSymbolicLink()) await symlink(await readlink(from, 'buffer'), to);
    else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
    else return;
    await lutimes(to, stats.atime, stats.mtime);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Bytes, since a name need not be UTF-8. */
function below(folder: string, path: PathName): Buffer {
  const name = typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.pathBytes, 'base64');
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}
