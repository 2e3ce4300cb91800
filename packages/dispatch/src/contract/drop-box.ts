import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeFileName, ensureFolder, writeTextFile } from '@bailiwick/durable-files';
import type { DispatchId, InvocationId, InvocationRef } from '@bailiwick/execution-identity';

/** Where an invocation's worker leaves all that it owes, by its ref (v1: by its id): below the project, so that an agent's own sandbox lets it write there. */
export function dropBoxOf(projectRoot: string, invocation: InvocationRef | InvocationId): string {
  return join(dropBoxRootOf(projectRoot), encodeFileName(invocation));
}

function dropBoxRootOf(projectRoot: string): string {
  return join(projectRoot, '.bailiwick', 'out');
}

/** Every attempt of a round finds its drop box there and empty; made before the baseline, so that it is no change of a worker's. */
export async function prepareDropBoxes(
  projectRoot: string,
  runDirectory: string,
  attempts: readonly { readonly dispatchId: DispatchId; readonly dropBoxPath: string }[],
): Promise<void> {
  await ensureDropBoxRoot(projectRoot);
  for (const { dispatchId, dropBoxPath } of attempts)
    await emptyDropBox(dropBoxPath, join(runDirectory, 'leftovers', encodeFileName(dispatchId)));
}

/** Makes the folder of all drop boxes; it hides itself from git with an ignore file that ignores itself too. */
async function ensureDropBoxRoot(projectRoot: string): Promise<void> {
  const root = dropBoxRootOf(projectRoot);
  await ensureFolder(root);
  const ignoreFile = join(root, '.gitignore');
  if (!(await exists(ignoreFile))) await writeTextFile(ignoreFile, '*\n', { mode: 0o644 });
}

/**
 * Makes an invocation's drop box and leaves it empty: what lay there is moved to `asideFolder`, never deleted (MA-13).
 * The caller has proven that no earlier process of the invocation lives.
 */
async function emptyDropBox(dropBoxPath: string, asideFolder: string): Promise<void> {
  if (!(await isEmptyFolder(dropBoxPath))) await moveFolder(dropBoxPath, asideFolder);
  await mkdir(dropBoxPath, { recursive: true });
}

/** A link to an empty folder is not one; nothing at all is as good as one. */
async function isEmptyFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return true;
  return stats.isDirectory() && (await readdir(path)).length === 0;
}

async function moveFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!isCrossDevice(error)) throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
    await rm(from, { recursive: true });
  }
}

function isCrossDevice(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
