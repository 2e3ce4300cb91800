import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { mapSystemError } from '@bailiwick/durable-files';
import { SealError } from '../errors.ts';

/** Throws SealError KEY_WITHIN_REACH where the key folder really lies in one of the folders that workers may write. */
export async function refuseReach(keyFolder: string, workerRoots: readonly string[]): Promise<void> {
  const folder = await realPathOf(resolve(keyFolder));
  for (const root of workerRoots) {
    if (!isWithin(folder, await realPathOf(resolve(root)))) continue;
    throw new SealError('KEY_WITHIN_REACH', `the key folder ${keyFolder} lies in ${root}, which workers may write`, {
      path: keyFolder,
      hint: "name a folder outside the project, such as one in the user's state folder",
    });
  }
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** Where a path really leads; one that doesn't exist yet leads where its nearest existing parent does. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || dirname(path) === path) throw mapSystemError(error, path, 'resolving');
    return join(await realPathOf(dirname(path)), basename(path));
  }
}
