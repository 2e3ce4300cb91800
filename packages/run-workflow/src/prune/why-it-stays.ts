import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTerminalStatus, type RunLayout, type RunManifest } from '@bailiwick/dispatch-state';
import { isFolder, isLocked, listFolder } from '@bailiwick/durable-files';
import { contentOf, isSameContent } from '../apply/file-content.ts';
import { changedSince, pathBelow } from '../apply/worktree-changes.ts';
import { askGit } from '../project/git.ts';
import { isUnfinished, type StoredRun } from '../select-run.ts';

/**
 * Why a run must not be pruned; null where it may go. It stays while anything of it lives or may come, while a record can't be read, and
 * while it is the only place of somebody's work: a worktree with changes that the project doesn't have, or what a discard kept. A person who
 * names a run says that no phase of it is to come; nothing else is overruled by that.
 */
export async function whyItStays(run: StoredRun, o: { readonly isNamed: boolean }): Promise<string | null> {
  const { layout, manifest, records, unaudited = [], unreadable } = run;
  if (unreadable.length > 0) return `a record can't be read: ${unreadable.map(({ path }) => path).join(', ')}`;
  if (records.some(({ status, retry }) => !isTerminalStatus(status) || isOwed(run, retry)))
    return 'an attempt is not settled';
  if (unaudited.some(({ status }) => !isTerminalStatus(status))) return 'an unaudited attempt is not settled';
  if ((await listFolder(layout.openFolder)).length > 0) return 'an attempt is not settled';
  if (await isAlive(layout)) return 'a command or a supervisor of it lives';
  if (!o.isNamed && isUnfinished(run)) return 'a phase of it is to come: name it, to prune it all the same';
  if (await holdsFiles(join(layout.runDirectory, 'discarded'))) return 'it is where `run discard` kept changes';
  return unappliedOf(manifest);
}

function isOwed({ records }: StoredRun, retry: StoredRun['records'][number]['retry']): boolean {
  return retry !== null && !records.some(({ dispatchId }) => dispatchId === retry.successor);
}

async function isAlive({ locksFolder }: RunLayout): Promise<boolean> {
  const names = await listFolder(locksFolder);
  return names.some((name) => /\.(?:launch|live|settle)$/.test(name) && isLocked(join(locksFolder, name)));
}

/** What a worktree holds that the project doesn't: contents, deletions, commits of its branch. */
async function unappliedOf(manifest: RunManifest): Promise<string | null> {
  const { worktree, baseCommit, projectRoot } = manifest;
  if (worktree === null || baseCommit === null || !(await isFolder(worktree))) return null;
  for (const name of await changedSince(worktree, baseCommit)) {
    const [left, theirs] = await Promise.all([
      contentOf(pathBelow(worktree, name)),
      contentOf(pathBelow(projectRoot, name)),
    ]);
    // A nested repository is more than its contents.
    if (left?.kind === 'other' || !isSameContent(left, theirs))
      return 'its worktree has changes that the project has not: `run apply` takes them, `run discard` keeps them aside';
  }
  const { exitCode } = await askGit(projectRoot, ['merge-base', '--is-ancestor', await headOf(worktree), 'HEAD']);
  return exitCode === 0 ? null : 'its branch has commits that the project has not: `run discard` keeps what they hold';
}

async function headOf(worktree: string): Promise<string> {
  return (await askGit(worktree, ['rev-parse', 'HEAD'])).stdout.trim();
}

async function holdsFiles(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length > 0,
    () => false,
  );
}
