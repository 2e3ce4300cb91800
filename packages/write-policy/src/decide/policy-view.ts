import { WritePolicyError } from '../errors.ts';
import type { WritePolicy } from '../model.ts';
import { isInside, namesBelow } from '../paths/path-name.ts';
import { leadsToPattern, matchesPattern, mayMatchBelow } from '../patterns/pattern.ts';
import { crossesNever } from '../places.ts';
import { dropBoxOf, patternBelow, type RootedPattern } from '../policy/policy-places.ts';
import { isDerivedRepository } from './derived-folders.ts';

/** A policy with its patterns read once: deciding a path costs the same for the first and the millionth. */
export interface PolicyView {
  readonly dropBox: string | undefined;
  readonly planned: readonly RootedPattern[];
  readonly scratch: readonly RootedPattern[];
  /** Worktree and project root, the inner one first: a path is named from the closest of them that holds it. */
  readonly roots: readonly string[];
}

/** The view of a policy, made once per policy object. */
export function viewOf(policy: WritePolicy): PolicyView {
  const known = views.get(policy);
  if (known !== undefined) return known;
  const view = readPolicy(policy);
  views.set(policy, view);
  return view;
}

/** Whether a path is one that no policy grants. An auxiliary root outside project and worktree has none. */
export function isNever(view: PolicyView, path: string): boolean {
  if (view.dropBox !== undefined && isInside(path, view.dropBox)) return crossesNever(path, view.dropBox);
  const root = view.roots.find((candidate) => isInside(path, candidate));
  return root !== undefined && crossesNever(path, root);
}

/** Whether a never-writable path is a derived repository's, and so as free as the rest of what git ignores there. */
export function isDerivedNever(view: PolicyView, path: string): boolean {
  const root = view.roots.find((candidate) => isInside(path, candidate));
  return root !== undefined && isDerivedRepository(path, root);
}

/** Whether the plan means a path, or, of a folder made or removed, something in it. */
export function isPlanned(planned: readonly RootedPattern[], path: string, folder: boolean): boolean {
  return planned.some(({ root, pattern }) => {
    if (!isInside(path, root)) return false;
    const names = namesBelow(path, root);
    return matchesPattern(pattern, names) || (folder && mayMatchBelow(pattern, names));
  });
}

/** The same for scratch, where a pattern such as `**` before a name must not free every folder of the tree. */
export function isScratch(scratch: readonly RootedPattern[], path: string, folder: boolean): boolean {
  return scratch.some(({ root, pattern }) => {
    if (!isInside(path, root)) return false;
    const names = namesBelow(path, root);
    return matchesPattern(pattern, names) || (folder && leadsToPattern(pattern, names));
  });
}

const views = new WeakMap<WritePolicy, PolicyView>();

function readPolicy(policy: WritePolicy): PolicyView {
  const { worktree, projectRoot } = policy;
  const roots = isInside(worktree, projectRoot) ? [worktree, projectRoot] : [projectRoot, worktree];
  return {
    dropBox: dropBoxOf(policy),
    planned: policy.plannedPaths.map((path) => rooted(path, [worktree])),
    scratch: policy.scratch.map((path) => rooted(path, [worktree, projectRoot])),
    roots,
  };
}

function rooted(path: string, roots: readonly string[]): RootedPattern {
  const found = patternBelow(path, roots);
  if ('code' in found) throw new WritePolicyError(found.code, found.message, { path });
  return found;
}
