import { isDerivedNever, isNever, viewOf } from '../decide/policy-view.ts';
import type { BoundaryPrecision, CompiledBoundary, WritePolicy } from '../model.ts';
import { isInside, sortedPaths } from '../paths/path-name.ts';
import { NEVER_WRITABLE } from '../places.ts';
import type { RootedPattern } from '../policy/policy-places.ts';
import { type GitCommitFacts, type GitCommitPlaces, gitCommitPlaces } from './git-commit-places.ts';
import { mayMeet, sourceOf } from './source-ownership.ts';

export interface BoundaryOptions {
  /** What the boundary can hold; default what the policy asks. `none` opens everything. */
  readonly precision?: BoundaryPrecision;
  /**
   * Policies of workers that may be alive at the same time: their source is closed where it can be told apart, with
   * what git ignores or a scratch pattern means in it.
   */
  readonly others?: readonly WritePolicy[];
  /** The one list of WP-4. */
  readonly orchestrator?: readonly string[];
  /** Never-writable folders that a walk found, nested repositories' `.git` above all. */
  readonly neverFound?: readonly string[];
  /** Where the worktree's git keeps its things; only read for a policy that may commit. */
  readonly git?: GitCommitFacts;
  /** The worktree is a throw-away layer: what is written there lasts nowhere, so that only what lasts is opened. */
  readonly layer?: boolean;
}

/**
 * The policy as an operating-system boundary holds it: never narrower than what {@link decidePath} allows (ignored
 * paths outside the worktree aside), and `wider` by what a bind can't tell apart (WP-8). Paths are folders or files
 * that a launcher must find existing and free of links, or leave out; it must not have them made by the sandbox.
 *
 * - An implementer gets its worktree, less what is never writable or another's; with a plan that is `wider`.
 * - Other roles get drop box, auxiliary roots and scratch; with `ignored: 'free'` the worktree too, since a new ignored
 *   path may appear anywhere in it. `ignored: 'listed'` is what makes their boundary tight.
 * - A scratch pattern opens the folder above its first wildcard.
 * - Over a throw-away layer nothing in the worktree is opened but what the policy names as whole folders; a scratch
 *   pattern is served by the layer. What stays closed in the layer is what must be seen as it is: version control and ours.
 */
export function compileBoundary(policy: WritePolicy, options: BoundaryOptions = {}): CompiledBoundary {
  const precision = options.precision ?? policy.maximumBoundaryPrecision;
  if (precision === 'none') return { writable: ['/'], readOnly: [], wider: ['/'] };
  const git = policy.git === 'commit' && options.git !== undefined ? gitCommitPlaces(options.git) : NO_GIT;
  const opened = openedFolders(policy, precision).filter((path) => !isLayered(policy, options, path));
  const writable = sortedPaths([...grantedPaths(policy), ...opened, ...git.writable]);
  const closed = closedPaths(policy, options, git);
  const aroundClosed = options.layer === true ? [...writable, policy.worktree] : writable;
  const beyond = [...opened.filter((path) => !isGranted(policy, path)), ...git.writable];
  return {
    writable: withoutRepeats(writable, closed),
    readOnly: withoutRepeats(closed, aroundClosed).filter(
      (path) =>
        writable.some((root) => isInside(path, root)) ||
        (isLayered(policy, options, path) && alwaysClosed(policy, options).includes(path)),
    ),
    wider: withoutRepeats(sortedPaths(beyond), closed),
  };
}

/** Whether a boundary lets a process write at an absolute, normalized path. */
export function boundaryAdmits(boundary: Pick<CompiledBoundary, 'writable' | 'readOnly'>, path: string): boolean {
  return longestAround(boundary.writable, path) > longestAround(boundary.readOnly, path);
}

const NO_GIT: GitCommitPlaces = { writable: [], readOnly: [] };

function isLayered({ worktree }: WritePolicy, { layer }: BoundaryOptions, path: string): boolean {
  return layer === true && isInside(path, worktree);
}

/** What the policy gives as whole folders or files. */
function grantedPaths(policy: WritePolicy): readonly string[] {
  const { dropBox, scratch } = viewOf(policy);
  const plain = scratch.filter(({ pattern }) => !pattern.isGlob);
  return [...(dropBox === undefined ? [] : [dropBox]), ...policy.auxiliaryRoots, ...plain.map(folderOf)];
}

function openedFolders(policy: WritePolicy, precision: BoundaryPrecision): readonly string[] {
  const wholeTree = policy.role === 'implementer' || policy.ignored === 'free' || precision === 'worktree';
  const patterns = viewOf(policy).scratch.filter(({ pattern }) => pattern.isGlob);
  return [...(wholeTree ? [policy.worktree] : []), ...patterns.map(folderOf)];
}

function isGranted(policy: WritePolicy, path: string): boolean {
  const wholeTree = policy.role === 'implementer' && policy.plannedPaths.length === 0;
  return [...grantedPaths(policy), ...(wholeTree ? [policy.worktree] : [])].some((granted) => isInside(path, granted));
}

/** Never writable, whatever a walk finds and whoever else is alive. */
function alwaysClosed(policy: WritePolicy, { orchestrator = [] }: BoundaryOptions): readonly string[] {
  const roots = [policy.worktree, policy.projectRoot];
  return [...roots.flatMap((root) => NEVER_WRITABLE.map((name) => `${root}/${name}`)), ...orchestrator];
}

function closedPaths(policy: WritePolicy, options: BoundaryOptions, git: GitCommitPlaces): readonly string[] {
  const view = viewOf(policy);
  const found = (options.neverFound ?? []).filter((path) => isNever(view, path) && !isDerivedNever(view, path));
  const others = (options.others ?? []).flatMap((other) => closedForOther(policy, other));
  const closed = [...alwaysClosed(policy, options), ...found, ...others, ...git.readOnly];
  return sortedPaths(closed.filter((path) => !git.writable.includes(path)));
}

/** Another's source as far as closing it takes nothing that the policy owns or has been given as a whole. */
function closedForOther(policy: WritePolicy, other: WritePolicy): readonly string[] {
  const own = sourceOf(policy);
  const granted = grantedPaths(policy);
  return sourceOf(other).flatMap((piece) => {
    const taken = own.some((mine) => mayMeet(mine, piece)) || granted.some((path) => isInside(piece.path, path));
    return piece.kind === 'tree' && !taken ? [piece.path] : [];
  });
}

/** The paths without those whose closest folder of either list says the same: each costs a mount. */
function withoutRepeats(paths: readonly string[], opposite: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const around = paths.filter((other) => other !== path);
    return longestAround(around, path) <= longestAround(opposite, path);
  });
}

function longestAround(paths: readonly string[], path: string): number {
  return Math.max(0, ...paths.filter((folder) => isInside(path, folder)).map((folder) => folder.length));
}

function folderOf({ root, pattern }: RootedPattern): string {
  return pattern.folder === '' ? root : `${root}/${pattern.folder}`;
}
