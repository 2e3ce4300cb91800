import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FailingPlace, isOfProject, isTestFile } from './failing-places.ts';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '/index.js', '/index.ts'] as const;

/** Where the bug can be: sources that the failure names, then what the failing tests import, nearest first. */
export async function findSuspectFiles(places: readonly FailingPlace[], cwd: string): Promise<readonly string[]> {
  const named = [...new Set(places.map(({ file }) => file))];
  const suspects = new Set(named.filter((file) => !isTestFile(file, cwd)));
  const seen = new Set(named);
  let front = named;
  while (front.length > 0) {
    const imported = (await Promise.all(front.map(importsOf))).flat();
    front = [...new Set(imported)].filter((file) => !seen.has(file) && isOfProject(file, cwd));
    for (const file of front) {
      seen.add(file);
      if (!isTestFile(file, cwd)) suspects.add(file);
    }
  }
  return [...suspects];
}

async function importsOf(file: string): Promise<readonly string[]> {
  const source = await readFile(file, 'utf8').catch(() => '');
  const names = [...source.matchAll(IMPORT)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const found = await Promise.all(names.map((name) => resolveFile(path.resolve(path.dirname(file), name))));
  return found.filter((target) => target !== undefined);
}

async function resolveFile(base: string): Promise<string | undefined> {
  for (const ending of ENDINGS) {
    const isFile = await stat(base + ending).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) return base + ending;
  }
  return undefined;
}
