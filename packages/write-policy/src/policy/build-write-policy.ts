import { WritePolicyError } from '../errors.ts';
import type { BoundaryPrecision, WritePolicy } from '../model.ts';
import { isInsideFolded } from '../paths/fold.ts';
import { isInside, sortedPaths } from '../paths/path-name.ts';
import { crossesNever } from '../places.ts';
import { askedPrecision, coarser } from './asked-precision.ts';
import { namePaths } from './named-paths.ts';
import { dropBoxOf } from './policy-places.ts';
import { policyProblems } from './policy-problems.ts';
import type { PathFacts, WritePolicyInput } from './request.ts';
import { type ResolvedPaths, resolvePaths } from './resolve-paths.ts';

/**
 * The write policy of one invocation (WP-1 to WP-4): every path absolute, normalized and free of symbolic links, lists
 * sorted and without doubles, so that equal requests give equal policies. Building a policy again from its own paths
 * gives the same policy. A planned path that means the whole worktree makes the plan empty, which says the same.
 *
 * @throws WritePolicyError with `path`: PATH_INVALID, PATH_NOT_UTF8, PATH_TOO_LONG, PATH_NOT_RESOLVED, PATH_OUTSIDE,
 * PATH_THROUGH_SYMLINK, PATH_NEVER_WRITABLE, PATH_OF_ORCHESTRATOR, PATH_TOO_WIDE, GLOB_INVALID, ARTIFACT_OUTSIDE_DROP_BOX,
 * PLAN_NOT_ALLOWED, AUXILIARY_NOT_ALLOWED, AUXILIARY_NOT_VALIDATED, GIT_NOT_ALLOWED
 */
export function buildWritePolicy(input: WritePolicyInput): WritePolicy {
  const paths = resolvePaths(namePaths(input), input.facts);
  const policy = withPrecision(draftPolicy(input, paths), input.maximumBoundaryPrecision);
  refuseProblems(policy);
  refuseOtherDropBox(policy, paths.dropBox);
  refuseUnvalidated(policy, input.facts);
  refuseOrchestrator(policy, input.orchestrator);
  return policy;
}

type Draft = Omit<WritePolicy, 'maximumBoundaryPrecision'>;

function draftPolicy(input: WritePolicyInput, paths: ResolvedPaths): Draft {
  return {
    role: input.role,
    projectRoot: paths.projectRoot,
    worktree: paths.worktree,
    artifactPaths: sortedPaths(paths.artifacts),
    plannedPaths: paths.planned.includes(paths.worktree) ? [] : sortedPaths(paths.planned),
    auxiliaryRoots: sortedPaths(paths.auxiliary),
    git: input.git ?? 'none',
    ignored: input.ignored ?? 'free',
    scratch: sortedPaths(paths.scratch),
  };
}

function withPrecision(draft: Draft, cap: BoundaryPrecision | undefined): WritePolicy {
  const asked = askedPrecision(draft);
  return { ...draft, maximumBoundaryPrecision: cap === undefined ? asked : coarser(cap, asked) };
}

function refuseProblems(policy: WritePolicy): void {
  const [problem] = policyProblems(policy);
  if (problem !== undefined) throw new WritePolicyError(problem.code, problem.message, { path: problem.path });
}

function refuseOtherDropBox(policy: WritePolicy, given: string | undefined): void {
  const [path] = policy.artifactPaths;
  if (path === undefined || dropBoxOf(policy) === given) return;
  const where =
    given === undefined ? 'no drop box was given for it' : `it is not in the invocation's drop box ${given}`;
  throw new WritePolicyError('ARTIFACT_OUTSIDE_DROP_BOX', `${path}: ${where}`, { path });
}

function refuseUnvalidated(policy: WritePolicy, facts: PathFacts): void {
  const validated = facts.validatedAuxiliaryRoots ?? [];
  const path = policy.auxiliaryRoots.find((root) => !validated.some((folder) => isInside(root, folder)));
  if (path === undefined) return;
  throw new WritePolicyError('AUXILIARY_NOT_VALIDATED', `${path} is no validated auxiliary root`, {
    path,
    hint: 'declare it in the config, or leave it out',
  });
}

/** Nothing granted lies in the list, and nothing of the list where a grant would cover it. */
function refuseOrchestrator(policy: WritePolicy, list: readonly string[]): void {
  const granted = [
    policy.projectRoot,
    policy.worktree,
    ...policy.artifactPaths,
    ...policy.auxiliaryRoots,
    ...policy.plannedPaths,
    ...policy.scratch,
  ];
  for (const own of list) {
    const inOwn = granted.find((path) => isInsideFolded(path, own));
    if (inOwn !== undefined) throw ofOrchestrator(inOwn, `${inOwn} lies in ${own}, which the orchestrator writes`);
    const around = openFolders(policy).find((folder) => isInside(own, folder) && !crossesNever(own, folder));
    if (around !== undefined)
      throw ofOrchestrator(own, `${own}, which the orchestrator writes, lies open in ${around}`);
  }
}

function openFolders(policy: WritePolicy): readonly string[] {
  return [policy.worktree, policy.projectRoot, ...policy.auxiliaryRoots];
}

function ofOrchestrator(path: string, message: string): WritePolicyError {
  return new WritePolicyError('PATH_OF_ORCHESTRATOR', message, { path, hint: 'keep state and work apart' });
}
