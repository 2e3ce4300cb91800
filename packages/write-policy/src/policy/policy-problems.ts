import type { WritePolicyErrorCode } from '../errors.ts';
import type { WritePolicy } from '../model.ts';
import { isInside, isNormalized, namesBelow, textProblem } from '../paths/path-name.ts';
import { crossesNever, isNeverName, isRunWorktree, NEVER_WRITABLE } from '../places.ts';
import { dropBoxOf, patternBelow } from './policy-places.ts';

/** One rule that a policy breaks. `pointer` is a JSON pointer into its payload. */
export interface PolicyProblem {
  readonly code: WritePolicyErrorCode;
  readonly pointer: string;
  readonly path: string;
  readonly message: string;
}

/**
 * Every rule of WP-1 to WP-4 that a policy breaks and that needs no disk to see. The same list refuses a policy being
 * built and a stored one being read.
 */
export function policyProblems(policy: WritePolicy): readonly PolicyProblem[] {
  const spelling = spellingProblems(policy);
  if (spelling.length > 0) return spelling;
  return [
    ...rootProblems(policy),
    ...roleProblems(policy),
    ...artifactProblems(policy),
    ...patternProblems(policy, 'plannedPaths', [policy.worktree]),
    ...patternProblems(policy, 'scratch', [policy.worktree, policy.projectRoot]),
    ...auxiliaryProblems(policy),
  ];
}

function spellingProblems(policy: WritePolicy): readonly PolicyProblem[] {
  return everyPath(policy).flatMap(([pointer, path]): readonly PolicyProblem[] => {
    const problem = textProblem(path);
    if (problem !== undefined) return [{ code: problem.code, pointer, path, message: `${pointer} ${problem.message}` }];
    if (!path.isWellFormed())
      return [{ code: 'PATH_NOT_UTF8', pointer, path, message: `${pointer} is not text in UTF-8` }];
    if (isNormalized(path)) return [];
    return [{ code: 'PATH_INVALID', pointer, path, message: `${path} is not absolute and normalized` }];
  });
}

function rootProblems({ projectRoot, worktree }: WritePolicy): readonly PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const [pointer, path] of [
    ['/projectRoot', projectRoot],
    ['/worktree', worktree],
  ] as const) {
    if (path === '/')
      problems.push({ code: 'PATH_TOO_WIDE', pointer, path, message: 'the whole file system is no project' });
  }
  if (isInside(worktree, projectRoot) && crossesNever(worktree, projectRoot)) {
    if (!isRunWorktree(namesBelow(worktree, projectRoot))) problems.push(never('/worktree', worktree));
  }
  if (isInside(projectRoot, worktree) && crossesNever(projectRoot, worktree))
    problems.push(never('/projectRoot', projectRoot));
  return problems;
}

function roleProblems(policy: WritePolicy): readonly PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const refuse = (code: WritePolicyErrorCode, pointer: string, path: string, what: string) =>
    problems.push({ code, pointer, path, message: `the role ${policy.role} ${what}` });
  const [planned] = policy.plannedPaths;
  const [auxiliary] = policy.auxiliaryRoots;
  if (policy.role !== 'implementer') {
    if (planned !== undefined)
      refuse('PLAN_NOT_ALLOWED', '/plannedPaths', planned, 'has no planned paths; an implementer has');
    if (policy.git !== 'none') refuse('GIT_NOT_ALLOWED', '/git', policy.worktree, 'may not commit; an implementer may');
  }
  if (policy.role !== 'verifier' && auxiliary !== undefined) {
    refuse('AUXILIARY_NOT_ALLOWED', '/auxiliaryRoots', auxiliary, 'has no auxiliary roots; a verifier has');
  }
  return problems;
}

function artifactProblems(policy: WritePolicy): readonly PolicyProblem[] {
  const box = dropBoxOf(policy);
  return policy.artifactPaths.flatMap((path, at) => {
    if (box !== undefined && path !== box && isInside(path, box) && !crossesNever(path, box)) return [];
    const message = `${path} is not in the invocation's drop box${box === undefined ? '' : ` ${box}`}`;
    return [{ code: 'ARTIFACT_OUTSIDE_DROP_BOX', pointer: `/artifactPaths/${at}`, path, message }];
  });
}

function patternProblems(
  policy: WritePolicy,
  field: 'plannedPaths' | 'scratch',
  roots: readonly string[],
): readonly PolicyProblem[] {
  return policy[field].flatMap((path, at): readonly PolicyProblem[] => {
    const pointer = `/${field}/${at}`;
    const found = patternBelow(path, roots);
    if ('code' in found) return [{ ...found, pointer, path }];
    const names = found.pattern.text.split('/');
    if (names.some(isNeverName)) return [never(pointer, path)];
    if (`${found.root}/${found.pattern.text}` !== path) {
      return [{ code: 'PATH_INVALID', pointer, path, message: `${path} is not a normalized pattern` }];
    }
    if (field === 'plannedPaths' || names.some((name) => /[^*?]/.test(name))) return [];
    return [{ code: 'PATH_TOO_WIDE', pointer, path, message: `${path} means everything in ${found.root}` }];
  });
}

function auxiliaryProblems(policy: WritePolicy): readonly PolicyProblem[] {
  const roots = [policy.worktree, policy.projectRoot];
  return policy.auxiliaryRoots.flatMap((path, at) => {
    const pointer = `/auxiliaryRoots/${at}`;
    const held = roots.find((root) => isInside(root, path));
    if (held !== undefined) return [{ code: 'PATH_TOO_WIDE', pointer, path, message: `${path} holds ${held}` }];
    const around = roots.find((root) => isInside(path, root));
    return around !== undefined && crossesNever(path, around) ? [never(pointer, path)] : [];
  });
}

function never(pointer: string, path: string): PolicyProblem {
  const message = `${path} lies in a folder that no policy grants (${NEVER_WRITABLE.join(', ')})`;
  return { code: 'PATH_NEVER_WRITABLE', pointer, path, message };
}

function everyPath(policy: WritePolicy): readonly (readonly [string, string])[] {
  const lists = (['artifactPaths', 'plannedPaths', 'auxiliaryRoots', 'scratch'] as const).flatMap((field) =>
    policy[field].map((path, at) => [`/${field}/${at}`, path] as const),
  );
  return [['/projectRoot', policy.projectRoot], ['/worktree', policy.worktree], ...lists];
}
