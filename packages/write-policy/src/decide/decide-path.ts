import type { PathArea, PathDecision, PathName, WritePolicy } from '../model.ts';
import { isInsideFolded } from '../paths/fold.ts';
import { observedText } from '../paths/observed-path.ts';
import { isInside, namesBelow } from '../paths/path-name.ts';
import type { RootedPattern } from '../policy/policy-places.ts';
import { isDerivedNever, isNever, isPlanned, isScratch, type PolicyView, viewOf } from './policy-view.ts';
import { isProtectedIgnored } from './protected-ignored.ts';

export interface DecideOptions {
  /** Git ignored the path at the baseline, and didn't track it. Default false. */
  readonly ignored?: boolean;
  /**
   * The path is a folder that was made or removed. Then it counts with what the plan or scratch means below it: who may
   * write `src/new/a.ts` may make `src/new`. Default false.
   */
  readonly folder?: boolean;
  /** The one list of WP-4, to tell its paths by name; without it they are `never` or `outside`, never allowed. */
  readonly orchestrator?: readonly string[];
}

/**
 * What an observed path is to a policy, and whether a change there charges its worker. The first that applies:
 *
 * 1. `orchestrator`, then `never`: denied, whatever else names the path. (Only a repository that an install put into an
 *    ignored derived folder, `.build/checkouts/x/.git`, is judged like the rest of that folder.)
 * 2. `artifact`: in the own drop box. `auxiliary`: in an auxiliary root. Allowed.
 * 3. `source`, allowed: the plan means it. A path that git ignores and the fixed list protects must be planned by name;
 *    a pattern or a folder around it is not enough.
 * 4. `scratch`: allowed, unless git ignores it and `ignored` is `none`.
 * 5. Git ignores it: `protected-ignored`, denied, if on the fixed list; else `ignored`, allowed, if `ignored` is `free`.
 *    (Allowed in the project root too, which may hold a person's dev server; only there the boundary does not follow.)
 * 6. `outside` of the worktree, denied. In it: `source`, for an implementer without a plan allowed, for another role
 *    denied; `out-of-plan`, denied, for an implementer with one.
 *
 * Never throws for a path: one that no file system yields (relative, `..`, NUL) is `outside`.
 */
export function decidePath(policy: WritePolicy, path: PathName, options: DecideOptions = {}): PathDecision {
  const text = observedText(path);
  if (text === undefined) return denied('outside');
  if (options.orchestrator?.some((own) => isInsideFolded(text, own)) === true) return denied('orchestrator');
  const view = viewOf(policy);
  if (isNever(view, text) && !(options.ignored === true && isDerivedNever(view, text))) return denied('never');
  return (
    decideOwned(policy, view, text, options) ?? decideIgnored(policy, view, text, options) ?? decideTree(policy, text)
  );
}

function decideOwned(policy: WritePolicy, view: PolicyView, path: string, o: DecideOptions): PathDecision | undefined {
  if (view.dropBox !== undefined && isInside(path, view.dropBox)) return allowed('artifact');
  if (policy.auxiliaryRoots.some((root) => isInside(path, root))) return allowed('auxiliary');
  if (isPlanned(planFor(view, path, o), path, o.folder === true)) return allowed('source');
  const counts = o.ignored !== true || policy.ignored !== 'none';
  return counts && isScratch(view.scratch, path, o.folder === true) ? allowed('scratch') : undefined;
}

/** What the fixed list protects must be planned by name: neither a folder around it nor a pattern covers it. */
function planFor(view: PolicyView, path: string, o: DecideOptions): readonly RootedPattern[] {
  return o.ignored === true && isProtected(view, path) ? view.planned.filter(isProtectedName) : view.planned;
}

function isProtectedName({ pattern }: RootedPattern): boolean {
  return !pattern.isGlob && isProtectedIgnored(pattern.literal.split('/'));
}

function decideIgnored(
  policy: WritePolicy,
  view: PolicyView,
  path: string,
  o: DecideOptions,
): PathDecision | undefined {
  if (o.ignored !== true || !view.roots.some((root) => isInside(path, root))) return undefined;
  if (isProtected(view, path)) return denied('protected-ignored');
  return policy.ignored === 'free' ? allowed('ignored') : undefined;
}

function decideTree(policy: WritePolicy, path: string): PathDecision {
  if (!isInside(path, policy.worktree)) return denied('outside');
  if (policy.role !== 'implementer') return denied('source');
  return policy.plannedPaths.length === 0 ? allowed('source') : denied('out-of-plan');
}

function isProtected(view: PolicyView, path: string): boolean {
  const root = view.roots.find((candidate) => isInside(path, candidate));
  return root !== undefined && isProtectedIgnored(namesBelow(path, root));
}

function allowed(area: PathArea): PathDecision {
  return { allowed: true, area };
}

function denied(area: PathArea): PathDecision {
  return { allowed: false, area };
}
