import { join } from 'node:path';
import { ensureFolder, isFolder } from '@bailiwick/durable-files';
import type { PathName } from '@bailiwick/mutation-audit';
import { removeWorktree } from '../create/worktree.ts';
import { RunError } from '../errors.ts';
import type { Project } from '../project/find-project.ts';
import type { StoredRun } from '../select-run.ts';
import { changedSince, copyAny, pathBelow, pathNameOf } from './worktree-changes.ts';

/** What a discard left; paths are relative to the worktree that is gone. */
export interface DiscardedRun {
  readonly runId: string;
  /** Where what the worktree held beyond its commit is kept. */
  readonly keptAt: string;
  readonly kept: readonly PathName[];
}

/** Drops a run's worktree and branch. What was changed or new in it is copied into the run's folder first: nothing is lost. */
export async function discardRun(project: Project, run: StoredRun): Promise<DiscardedRun> {
  const { manifest, layout, records, unreadable } = run;
  const { worktree, baseCommit, runId } = manifest;
  if (worktree === null || baseCommit === null)
    throw new RunError('NOTHING_TO_APPLY', `run ${runId} has no worktree of its own to drop`, {
      path: manifest.projectRoot,
    });
  if (records.some((record) => record.status === 'launching') || unreadable.some(({ isOpen }) => isOpen))
    throw new RunError('RUN_UNFINISHED', `workers of run ${runId} may still write in its worktree`, {
      hint: `\`bailiwick team stop --run ${runId}\` ends them`,
    });
  if (!(await isFolder(worktree)))
    throw new RunError('WORKTREE_GONE', `the worktree of run ${runId} is gone already`, { path: worktree });
  const keptAt = join(layout.runDirectory, 'discarded');
  const kept = await keepChanges(worktree, baseCommit, keptAt);
  await removeWorktree(project, manifest);
  return { runId, keptAt, kept };
}

/** What differs from the commit that the run started from, and what is new; a deleted file has nothing to keep. */
async function keepChanges(worktree: string, baseCommit: string, keptAt: string): Promise<readonly PathName[]> {
  const names = await changedSince(worktree, baseCommit);
  await ensureFolder(keptAt);
  const kept: Buffer[] = [];
  for (const name of names) if (await copyAny(pathBelow(worktree, name), pathBelow(keptAt, name))) kept.push(name);
  return kept.map(pathNameOf);
}
