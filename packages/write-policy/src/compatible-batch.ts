import { sourcesOverlap } from './boundary/source-ownership.ts';
import { WritePolicyError } from './errors.ts';
import type { WriteContract, WritePolicy } from './model.ts';
import { foldText } from './paths/fold.ts';
import { dropBoxOf } from './policy/policy-places.ts';

export interface BatchMember {
  /** What a person knows the dispatch by: its execution label or dispatch id. */
  readonly dispatchLabel: string;
  readonly contract: Pick<WriteContract, 'policy'>;
}

/**
 * Refuses jobs that can't be alive together (WP-7): overlapping source, the same artifact, or two that may both advance
 * one worktree's branch. Auxiliary roots may be shared. Every job is compared with the rest of its batch and with every
 * attempt that is still alive; attempts alive are not compared among themselves.
 *
 * @throws WritePolicyError BATCH_INCOMPATIBLE with `between`, `path` and a hint
 */
export function checkCompatibleBatch(batch: readonly BatchMember[], alive: readonly BatchMember[] = []): void {
  for (const [at, member] of batch.entries()) {
    for (const other of batch.slice(at + 1)) refuseConflict(member, other, 'dispatch them one after the other');
    for (const other of alive)
      refuseConflict(member, other, `wait for ${other.dispatchLabel} (team await) or stop it first`);
  }
}

interface Conflict {
  readonly path: string;
  readonly what: string;
}

function refuseConflict(a: BatchMember, b: BatchMember, hint: string): void {
  const conflict = conflictOf(a.contract.policy, b.contract.policy);
  if (conflict === undefined) return;
  throw new WritePolicyError(
    'BATCH_INCOMPATIBLE',
    `${a.dispatchLabel} and ${b.dispatchLabel} can't be alive together: ${conflict.what}`,
    { path: conflict.path, hint, between: [a.dispatchLabel, b.dispatchLabel] },
  );
}

function conflictOf(a: WritePolicy, b: WritePolicy): Conflict | undefined {
  return artifactConflict(a, b) ?? sourceConflict(a, b) ?? branchConflict(a, b);
}

function artifactConflict(a: WritePolicy, b: WritePolicy): Conflict | undefined {
  const box = dropBoxOf(a);
  const other = dropBoxOf(b);
  if (box === undefined || other === undefined || foldText(box) !== foldText(other)) return undefined;
  const path = a.artifactPaths.find((artifact) => b.artifactPaths.includes(artifact));
  return path === undefined
    ? { path: box, what: `both use the drop box ${box}` }
    : { path, what: `both owe the artifact ${path}` };
}

function sourceConflict(a: WritePolicy, b: WritePolicy): Conflict | undefined {
  const met = sourcesOverlap(a, b);
  if (met === undefined) return undefined;
  const [own, other] = met.map((piece) => piece.path);
  const what =
    own === other ? `both own the source ${own}` : `the source ${own} of the one may overlap ${other} of the other`;
  return { path: own ?? a.worktree, what };
}

function branchConflict(a: WritePolicy, b: WritePolicy): Conflict | undefined {
  if (a.git !== 'commit' || b.git !== 'commit' || a.worktree !== b.worktree) return undefined;
  return { path: a.worktree, what: `both may commit on the branch of ${a.worktree}` };
}
