import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mapSystemError } from '@bailiwick/durable-files';

/**
 * Where paths really lead; one that doesn't exist yet leads where its nearest existing parent does. What `buildWritePolicy` takes as
 * `realPathOf`. Throws DurableFileError where a folder on the way can't be read.
 */
export async function resolvePaths(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await realPathOf(path)] as const)));
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || dirname(path) === path) throw mapSystemError(error, path, 'resolve');
    return join(await realPathOf(dirname(path)), basename(path));
  }
}
