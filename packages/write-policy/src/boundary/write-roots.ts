import type { WritePolicy } from '../model.ts';
import { boundaryAdmits, compileBoundary } from './compile-boundary.ts';

/**
 * The folders and files that a boundary opens for a policy, sorted: all that a confined worker can have changed. `layer`:
 * its worktree was a throw-away layer.
 */
export function writeRootsOf(policy: WritePolicy, o: { readonly layer?: boolean } = {}): readonly string[] {
  return compileBoundary(policy, { ...o, precision: 'file' }).writable;
}

/**
 * Whether no boundary of the one policy admits what the other's does: then a change below either's roots has only one
 * possible author among the two. What is closed counts: a drop box inside a worktree is not the worktree's. `layer`: the
 * first one's worktree is a throw-away layer.
 */
export function disjointWriteRoots(a: WritePolicy, b: WritePolicy, o: { readonly layer?: boolean } = {}): boolean {
  const first = compileBoundary(a, { ...o, precision: 'file' });
  const second = compileBoundary(b, { precision: 'file' });
  const met = first.writable.some((root) => boundaryAdmits(second, root));
  return !met && !second.writable.some((root) => boundaryAdmits(first, root));
}
