import { readdir } from 'node:fs/promises';
import path from 'node:path';

const SOURCE = /\.(?:[cm]?[jt]sx?|py|rs|go|c|java|rb)$/;

/** A source file of the tree, by name order, those below `src` first; `MEDDLED.md` where the tree has none. */
export async function pickSourceFile(cwd: string): Promise<string> {
  for (const folder of ['src', 'lib', '.', 'test']) {
    const names = await readdir(path.join(cwd, folder)).catch(() => []);
    const source = names.filter((name) => SOURCE.test(name)).toSorted(byName)[0];
    if (source !== undefined) return path.join(folder, source);
  }
  return 'MEDDLED.md';
}

function byName(one: string, other: string): number {
  return one < other ? -1 : 1;
}
