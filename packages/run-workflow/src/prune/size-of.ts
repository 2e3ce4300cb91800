import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How many bytes the files below a path hold; links and what can't be looked at count nothing. 0 where nothing is there. */
export async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || stats.isSymbolicLink()) return 0;
  if (!stats.isDirectory()) return stats.size;
  const names = await readdir(path).catch(() => []);
  let bytes = 0;
  for (const name of names) bytes += await sizeOf(join(path, name));
  return bytes;
}
