import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Takes a folder away that programs have written in: their folders may refuse their owner too, as overlayfs' own and Go's
 * module cache do. What is still held open is no reason to fail; never throws.
 */
export async function removeStubbornly(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    // A folder that isn't ours stays shut; the others are opened all the same.
    if (entry.isDirectory()) await openFolders(join(folder, entry.name)).catch(() => undefined);
  }
}
