import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunManifest } from '@bailiwick/dispatch-state';
import { ensureFolder, withLock, writeTextFile } from '@bailiwick/durable-files';
import type { Project } from '../project/find-project.ts';
import { runGit } from '../project/git.ts';

/** Adding a worktree of a large repository takes tens of seconds; several commands may queue up. */
const WORKTREE_LOCK_TIMEOUT_MS = 10 * 60_000;

/** Adds the run's own worktree on a branch of its own. One at a time per project: git's config lock fails under parallel adds. */
export async function addWorktree(project: Project, manifest: RunManifest): Promise<void> {
  const { worktree, branch, baseCommit } = manifest;
  if (worktree === null || branch === null || baseCommit === null) return;
  await hideWorktrees(dirname(worktree));
  await withWorktreeLock(project, () =>
    runGit(project.root, ['worktree', 'add', '--no-track', '-b', branch, worktree, baseCommit]),
  );
}

/** Takes a run's worktree and branch away. What was in it must have been kept before. */
export async function removeWorktree(project: Project, manifest: RunManifest): Promise<void> {
  const { worktree, branch } = manifest;
  if (worktree === null || branch === null) return;
  await withWorktreeLock(project, async () => {
    await runGit(project.root, ['worktree', 'remove', '--force', worktree]);
    await runGit(project.root, ['branch', '-D', branch]);
  });
}

async function withWorktreeLock<T>(project: Project, work: () => Promise<T>): Promise<T> {
  await ensureFolder(project.stateRoot, { mode: 0o700 });
  return withLock(join(project.stateRoot, 'worktrees.lock'), { timeoutMs: WORKTREE_LOCK_TIMEOUT_MS }, work);
}

/** The folder of all worktrees hides itself from git, as the drop boxes do. */
async function hideWorktrees(folder: string): Promise<void> {
  await ensureFolder(folder);
  const ignoreFile = join(folder, '.gitignore');
  const isThere = await lstat(ignoreFile).then(
    () => true,
    () => false,
  );
  if (!isThere) await writeTextFile(ignoreFile, '*\n', { mode: 0o644 });
}
