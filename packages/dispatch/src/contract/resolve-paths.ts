import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mapSystemError } from '@bailiwick/durable-files';

/** Where a path really leads; one that was asked for before leads where it did then. */
export type PathResolver = (path: string) => Promise<string>;

/**
 * Where paths really lead; one that doesn't exist yet leads where its nearest existing parent does. What `buildWritePolicy` takes as
 * `realPathOf`. Throws DurableFileError where a folder on the way can't be read.
 */
export async function resolvePaths(
  paths: readonly string[],
  resolver: PathResolver = pathResolver(),
): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await resolver(path)] as const)));
}

/** For a moment in which nothing changes: the policies of a batch name mostly the same paths, and share nearly all of their parents. */
export function pathResolver(): PathResolver {
  const known = new Map<string, Promise<string>>();
  const resolver: PathResolver = (path) => {
    const resolved = known.get(path) ?? resolve(path, resolver);
    known.set(path, resolved);
    return resolved;
  };
  return resolver;
}

async function resolve(path: string, resolver: PathResolver): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || dirname(path) === path) throw mapSystemError(error, path, 'resolve');
    return join(await resolver(dirname(path)), basename(path));
  }
}
