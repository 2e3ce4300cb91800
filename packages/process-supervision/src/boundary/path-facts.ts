import { lstat, realpath } from 'node:fs/promises';

/** What lies at a path now. */
export interface PathFacts {
  readonly kind: 'folder' | 'file' | 'other' | 'missing';
  /** False where a symbolic link is the path's end or lies on the way to it. */
  readonly isReal: boolean;
}

/** Looks at each path once; a path that can't be looked at counts as something of its own kind, never as missing. */
export async function lookAtPaths(paths: Iterable<string>): Promise<ReadonlyMap<string, PathFacts>> {
  const unique = [...new Set(paths)];
  return new Map(await Promise.all(unique.map(async (path) => [path, await factsOf(path)] as const)));
}

async function factsOf(path: string): Promise<PathFacts> {
  try {
    const stats = await lstat(path);
    const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
    return { kind, isReal: await isReal(path) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return { kind: isMissing ? 'missing' : 'other', isReal: isMissing };
  }
}

/** A link that leads nowhere has no real path, and is the most dangerous of all. */
async function isReal(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === path;
}
