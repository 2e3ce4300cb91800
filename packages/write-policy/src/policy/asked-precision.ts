import { BoundaryPrecision, type WritePolicy } from '../model.ts';

const FINENESS = Object.values(BoundaryPrecision);

/**
 * The precision that a policy needs to be held in full: the worktree for an implementer (WP-8) and for every role
 * whose ignored paths are free, since those may appear anywhere in it; else folders, the drop box being one.
 */
export function askedPrecision(policy: Pick<WritePolicy, 'role' | 'ignored'>): BoundaryPrecision {
  return policy.role === 'implementer' || policy.ignored === 'free' ? 'worktree' : 'directory';
}

/** The coarser of precisions; of none at all, the finest there is. */
export function coarser(...precisions: readonly BoundaryPrecision[]): BoundaryPrecision {
  return FINENESS.find((precision) => precisions.includes(precision)) ?? 'file';
}

/** Whether a precision in force is at least as fine as one that is asked for. */
export function isSufficient(held: BoundaryPrecision, asked: BoundaryPrecision): boolean {
  return FINENESS.indexOf(held) >= FINENESS.indexOf(asked);
}
