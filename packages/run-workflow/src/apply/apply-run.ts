import { chmod, lstat, mkdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { DispatchRecord, RunManifest } from '@bailiwick/dispatch-state';
import { copyFileDurably } from '@bailiwick/durable-files';
import { displayPath, type PathName } from '@bailiwick/mutation-audit';
import { RunError } from '../errors.ts';
import { nextPhase } from '../phases/next-phase.ts';
import type { StoredRun } from '../select-run.ts';
import { contentOf, matchesDigest } from './file-content.ts';

/** What an apply did: project-relative paths. */
export interface AppliedRun {
  readonly runId: string;
  readonly applied: readonly string[];
  /** Already as the run left them: an apply that was cut off goes on where it stopped. */
  readonly unchanged: readonly string[];
}

interface PlannedChange {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly isDeleted: boolean;
  readonly isApplied: boolean;
}

/**
 * Takes the audited change of a run's own worktree into the project. Everything is checked before anything is written: the run
 * must have ended sound, each file in the worktree must be what was audited, and the project's must be what the worktree started from.
 */
export async function applyRun({ manifest, records }: StoredRun): Promise<AppliedRun> {
  const worktree = requireWorktree(manifest);
  requireSound(manifest, records);
  const changes = await Promise.all(
    auditedChanges(records, worktree).map((change) => planChange(manifest, worktree, change)),
  );
  if (changes.length === 0)
    throw new RunError('NOTHING_TO_APPLY', `run ${manifest.runId} changed nothing in its worktree`, { path: worktree });
  const pending = changes.filter((change) => !change.isApplied);
  for (const change of pending) await writeChange(change);
  return {
    runId: manifest.runId,
    applied: pending.map((change) => change.path),
    unchanged: changes.filter((change) => change.isApplied).map((change) => change.path),
  };
}

function requireWorktree(manifest: RunManifest): string {
  if (manifest.worktree !== null) return manifest.worktree;
  throw new RunError(
    'NOTHING_TO_APPLY',
    `run ${manifest.runId} worked in the project's own tree: there is nothing to take over`,
    {
      path: manifest.projectRoot,
      hint: 'only runs with --isolation worktree are applied',
    },
  );
}

function requireSound(manifest: RunManifest, records: readonly DispatchRecord[]): void {
  const step = nextPhase(manifest, records, { mayRecover: false });
  if (step.kind === 'ended' && step.outcome === 'verified') return;
  const state = step.kind === 'ended' ? step.outcome : 'unfinished';
  throw new RunError('RUN_NOT_SOUND', `run ${manifest.runId} is ${state}, so its change isn't taken over`, {
    hint: `look at it with \`bailiwick run show ${manifest.runId}\`; its worktree stays at ${manifest.worktree ?? ''}`,
  });
}

interface AuditedChange {
  readonly path: PathName;
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
}

/** The last audited state of each path that the implementers' attempts changed. */
function auditedChanges(records: readonly DispatchRecord[], worktree: string): readonly AuditedChange[] {
  const byPath = new Map<string, AuditedChange>();
  for (const record of records.filter((row) => row.role === 'implementer' && row.status === 'completed'))
    for (const { path, beforeDigest, afterDigest } of record.contract?.audit?.changedPaths ?? [])
      if (isBelow(worktree, absolute(record, path)))
        byPath.set(displayPath(path), { path: absolute(record, path), beforeDigest, afterDigest });
  return [...byPath.values()];
}

function absolute(record: DispatchRecord, path: PathName): string {
  const shown = displayPath(path);
  return shown.startsWith('/') ? shown : join(projectOf(record), shown);
}

/** Audit paths are project-relative; the drop box lies at a known place below the project. */
function projectOf(record: DispatchRecord): string {
  return dirname(dirname(dirname(record.dropBoxPath)));
}

function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('..') && !below.startsWith('/');
}

async function planChange(manifest: RunManifest, worktree: string, change: AuditedChange): Promise<PlannedChange> {
  const from = displayPath(change.path);
  const path = relative(worktree, from);
  const to = join(manifest.projectRoot, path);
  const [ours, theirs] = await Promise.all([contentOf(from), contentOf(to)]);
  if (!matchesDigest(ours, change.afterDigest))
    throw new RunError('RUN_NOT_SOUND', `${path} in the worktree isn't what was audited`, {
      path: from,
      hint: 'it was changed after the run; look at the difference first',
    });
  const isApplied = matchesDigest(theirs, change.afterDigest);
  if (!isApplied && !matchesDigest(theirs, change.beforeDigest))
    throw new RunError('APPLY_CONFLICT', `${path} was changed in the project since the run began`, {
      path: to,
      hint: `merge by hand: the run's version is ${from}`,
    });
  return { path, from, to, isDeleted: change.afterDigest === null, isApplied };
}

async function writeChange({ from, to, isDeleted }: PlannedChange): Promise<void> {
  if (isDeleted) return rm(to, { force: true });
  await mkdir(dirname(to), { recursive: true });
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) return replaceLink(to, await readlink(from));
  await copyFileDurably(from, to, { mode: stats.mode & 0o777 });
  await chmod(to, stats.mode & 0o777);
}

async function replaceLink(path: string, target: string): Promise<void> {
  const staging = `${path}.bailiwick-staging`;
  await symlink(target, staging);
  await rename(staging, path);
}
