import { lstat } from 'node:fs/promises';
import type { RunManifest } from '@bailiwick/dispatch-state';
import { displayPath } from '@bailiwick/mutation-audit';
import { RunError } from '../errors.ts';
import type { AuditedChange } from './audited-changes.ts';
import { contentOf, type FileContent, isSameContent, matchesDigest } from './file-content.ts';
import { pathBelow, pathNameOf } from './worktree-changes.ts';

/** One path as it is to be in the project. */
export interface PlannedChange {
  /** Project-relative, as a person reads it. */
  readonly path: string;
  /** Absolute, as bytes. */
  readonly from: Buffer;
  readonly to: Buffer;
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
  const removed = new Set(planned.filter((change) => change.ours === null).map(({ to }) => to.toString('latin1')));
  for (const [at, change] of planned.entries()) {
    const folders = foldersAbove(manifest.projectRoot, changes[at]?.name ?? Buffer.alloc(0));
    if (change.ours !== null) await refuseBlocked(change, folders, removed);
  }
  return planned;
}

async function planChange(manifest: RunManifest, worktree: string, change: AuditedChange): Promise<PlannedChange> {
  const from = pathBelow(worktree, change.name);
  const path = displayPath(pathNameOf(change.name));
  const to = pathBelow(manifest.projectRoot, change.name);
  const [left, theirs] = await Promise.all([contentOf(from), contentOf(to)]);
  if (!matchesDigest(left, change.afterDigest))
    throw new RunError('RUN_NOT_SOUND', `${path} in the worktree isn't what was audited`, {
      path: shown(from),
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
  { path, from }: PlannedChange,
  folders: readonly Buffer[],
  removed: ReadonlySet<string>,
): Promise<void> {
  for (const folder of folders) {
    const stats = await lstat(folder).catch(() => undefined);
    if (stats === undefined || removed.has(folder.toString('latin1'))) return;
    if (!stats.isDirectory()) throw conflict(path, from, folder);
  }
}

/** The folders from below `root` to that of a path in it, outermost first. */
function foldersAbove(root: string, name: Buffer): readonly Buffer[] {
  const folders: Buffer[] = [];
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
    folders.push(pathBelow(root, name.subarray(0, at)));
  return folders;
}

function conflict(path: string, from: Buffer, at: Buffer): RunError {
  return new RunError('APPLY_CONFLICT', `${path} was changed in the project since the run began`, {
    path: shown(at),
    hint: `merge by hand: the run's version is ${shown(from)}`,
  });
}

function shown(path: Buffer): string {
  return displayPath(pathNameOf(path));
}
