import type { DispatchRecord, RunManifest } from '@bailiwick/dispatch-state';
import { RunError } from '../errors.ts';
import { nextPhase } from '../phases/next-phase.ts';
import type { StoredRun } from '../select-run.ts';
import { auditedChanges } from './audited-changes.ts';
import { planChanges } from './plan-change.ts';
import { writeChanges } from './write-change.ts';

/** What an apply did: project-relative paths. */
export interface AppliedRun {
  readonly runId: string;
  readonly applied: readonly string[];
  /** Already as the run left them: an apply that was cut off goes on where it stopped. */
  readonly unchanged: readonly string[];
}

/**
 * Takes the audited change of a run's own worktree into the project: contents, symlinks, deletions, and whether a file can be
 * executed. Everything is checked before anything is written: the run must have ended sound, each file in the worktree must be
 * what was audited, and the project's must be what the worktree started from. RUN_NOT_SOUND, APPLY_CONFLICT, NOTHING_TO_APPLY.
 */
export async function applyRun({ manifest, records, unreadable }: StoredRun): Promise<AppliedRun> {
  const worktree = requireWorktree(manifest);
  for (const { error } of unreadable) throw error;
  requireSound(manifest, records);
  const changes = await planChanges(manifest, worktree, auditedChanges(records, worktree));
  if (changes.length === 0)
    throw new RunError('NOTHING_TO_APPLY', `run ${manifest.runId} changed nothing in its worktree`, { path: worktree });
  const pending = changes.filter((change) => !change.isApplied);
  await writeChanges(pending);
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
