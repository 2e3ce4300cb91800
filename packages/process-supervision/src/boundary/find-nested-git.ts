import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Every `.git` below a folder, its own apart: nested repositories, submodules and linked worktrees, ignored ones too.
 * Links aren't followed, and what can't be read is passed over: the audit tells of it. Sorted.
 */
export async function findNestedGit(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [root];
  while (waiting.length > 0) {
    const batch = waiting.splice(-WIDTH);
    const listed = await Promise.all(batch.map((folder) => look(folder, folder === root)));
    for (const { entry, folders } of listed) {
      if (entry !== undefined) found.push(entry);
      waiting.push(...folders);
    }
  }
  return found.sort();
}

/** How many folders are read at the same time. */
const WIDTH = 16;

async function look(
  folder: string,
  isRoot: boolean,
): Promise<{ readonly entry: string | undefined; readonly folders: readonly string[] }> {
  const folders: string[] = [];
  let entry: string | undefined;
  try {
    for await (const dirent of await opendir(folder, { bufferSize: 256 })) {
      if (dirent.name === '.git') entry = isRoot ? undefined : join(folder, dirent.name);
      else if (dirent.isDirectory() && !(isRoot && dirent.name === '.bailiwick'))
        folders.push(join(folder, dirent.name));
    }
  } catch {
    // Gone or not readable: nothing in it can be bound.
  }
  return { entry, folders };
}
