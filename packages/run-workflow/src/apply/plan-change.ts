import { lstat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { RunManifest } from '@bailiwick/dispatch-state';
import { displayPath } from '@bailiwick/mutation-audit';
import { RunError } from '../errors.ts';
import type { AuditedChange } from './audited-changes.ts';
import { contentOf, type FileContent, isSameContent, matchesDigest } from './file-content.ts';

/** One path as it is to be in the project. */
export interface PlannedChange {
  /** Project-relative. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** What the run left; null where the path is to be gone. */
  readonly ours: FileContent | null;
  /** What the project has now. */
  readonly theirs: FileContent | null;
  readonly isApplied: boolean;
}

/**
 * Checks every change against the worktree and the project; writes nothing. RUN_NOT_SOUND where the worktree isn't what was
 * audited, APPLY_CONFLICT where the project isn't what the worktree started from.
 */
export async function planChanges(
  manifest: RunManifest,
  worktree: string,
  changes: readonly AuditedChange[],
): Promise<readonly PlannedChange[]> {
  const planned = await Promise.all(changes.map((change) => planChange(manifest, worktree, change)));
  const removed = new Set(planned.filter((change) => change.ours === null).map((change) => change.to));
  for (const change of planned) if (change.ours !== null) await refuseBlocked(manifest.projectRoot, change, removed);
  return planned;
}

async function planChange(manifest: RunManifest, worktree: string, change: AuditedChange): Promise<PlannedChange> {
  const from = displayPath(change.path);
  const path = relative(worktree, from);
  const to = join(manifest.projectRoot, path);
  const [left, theirs] = await Promise.all([contentOf(from), contentOf(to)]);
  if (!matchesDigest(left, change.afterDigest))
    throw new RunError('RUN_NOT_SOUND', `${path} in the worktree isn't what was audited`, {
      path: from,
      hint: 'it was changed after the run; look at the difference first',
    });
  // A folder comes and goes with the files in it.
  const ours = left?.kind === 'other' ? null : left;
  const isApplied = isSameContent(ours, theirs);
  const isExpected = matchesDigest(theirs, change.beforeDigest) || matchesDigest(theirs, change.afterDigest);
  if (!isApplied && (!isExpected || theirs?.kind === 'other')) throw conflict(path, from, to);
  return { path, from, to, ours, theirs, isApplied };
}

/** A folder of the project that is no folder any more would lead the write somewhere else, or break it off half-way. */
async function refuseBlocked(
  projectRoot: string,
  { path, from, to }: PlannedChange,
  removed: ReadonlySet<string>,
): Promise<void> {
  for (const folder of foldersBetween(projectRoot, to)) {
    const stats = await lstat(folder).catch(() => undefined);
    if (stats === undefined || removed.has(folder)) return;
    if (!stats.isDirectory()) throw conflict(path, from, folder);
  }
}

/** The folders from below `root` to that of `path`, outermost first. */
function foldersBetween(root: string, path: string): readonly string[] {
  const folder = dirname(path);
  return folder === root || folder === path ? [] : [...foldersBetween(root, folder), folder];
}

function conflict(path: string, from: string, at: string): RunError {
  return new RunError('APPLY_CONFLICT', `${path} was changed in the project since the run began`, {
    path: at,
    hint: `merge by hand: the run's version is ${from}`,
  });
}
