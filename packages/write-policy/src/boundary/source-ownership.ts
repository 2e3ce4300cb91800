import { viewOf } from '../decide/policy-view.ts';
import type { WritePolicy } from '../model.ts';
import { foldText } from '../paths/fold.ts';
import { isInside } from '../paths/path-name.ts';
import { isActive, literalStart, unescapeText } from '../patterns/dialect.ts';
import { crossesNever } from '../places.ts';
import type { RootedPattern } from '../policy/policy-places.ts';

/** A piece of source that an implementer owns: a whole folder or file, or all whose path begins with a text. */
export type OwnedSource =
  | { readonly kind: 'tree'; readonly path: string }
  | { readonly kind: 'start'; readonly path: string; readonly start: string };

/** What a policy owns of the source; empty for all but an implementer. */
export function sourceOf(policy: WritePolicy): readonly OwnedSource[] {
  if (policy.role !== 'implementer') return [];
  if (policy.plannedPaths.length === 0) return [{ kind: 'tree', path: policy.worktree }];
  return viewOf(policy).planned.map(ownedBy);
}

/**
 * The first pair of pieces of two policies' source that may overlap, or undefined. Conservative: a pattern counts as
 * all paths that begin with its text before the first wildcard, and case is ignored, since a file system may. Worktrees
 * apart from each other never overlap, not even a run's worktree below the project root, which no policy grants.
 */
export function sourcesOverlap(a: WritePolicy, b: WritePolicy): readonly [OwnedSource, OwnedSource] | undefined {
  if (isApart(a.worktree, b.worktree) || isApart(b.worktree, a.worktree)) return undefined;
  const others = sourceOf(b);
  for (const own of sourceOf(a)) {
    const met = others.find((other) => mayMeet(own, other));
    if (met !== undefined) return [own, met];
  }
  return undefined;
}

/** Whether two pieces of source may hold a path in common. */
export function mayMeet(a: OwnedSource, b: OwnedSource): boolean {
  if (a.kind === 'tree' && b.kind === 'tree') {
    const [x, y] = [foldText(a.path), foldText(b.path)];
    return isInside(x, y) || isInside(y, x);
  }
  if (a.kind === 'start' && b.kind === 'start') {
    const [x, y] = [foldText(a.start), foldText(b.start)];
    return x.startsWith(y) || y.startsWith(x);
  }
  return a.kind === 'tree' ? startMeetsTree(b, a.path) : startMeetsTree(a, b.path);
}

function startMeetsTree(piece: OwnedSource, tree: string): boolean {
  if (piece.kind === 'tree') return false;
  const [start, path] = [foldText(piece.start), foldText(tree)];
  return path.startsWith(start) || isInside(start, path);
}

function ownedBy({ root, pattern }: RootedPattern): OwnedSource {
  const path = `${root}/${pattern.text}`;
  if (!pattern.isGlob) return { kind: 'tree', path: `${root}/${pattern.literal}` };
  const above = pattern.text.replace(/(?:^|\/)\*\*$/, '');
  if (above !== pattern.text && !above.split('/').some(isActive)) {
    return { kind: 'tree', path: above === '' ? root : `${root}/${unescapeText(above)}` };
  }
  return { kind: 'start', path, start: `${root}/${literalStart(pattern.text)}` };
}

/** Whether one worktree lies in a place of the other that nobody's policy grants. */
function isApart(inner: string, outer: string): boolean {
  return inner !== outer && isInside(inner, outer) && crossesNever(inner, outer);
}
