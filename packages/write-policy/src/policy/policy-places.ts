import { isWritePolicyError, type WritePolicyErrorCode } from '../errors.ts';
import type { WritePolicy } from '../model.ts';
import { isInside, namesBelow } from '../paths/path-name.ts';
import { type Pattern, parsePattern } from '../patterns/pattern.ts';
import { dropBoxName } from '../places.ts';

/** A stored pattern with the root that it is read below. */
export interface RootedPattern {
  readonly root: string;
  readonly pattern: Pattern;
}

export interface PatternProblem {
  readonly code: WritePolicyErrorCode;
  readonly message: string;
}

/** The drop box that a policy's artifacts lie in, or undefined: it owes nothing, or its first artifact is misplaced. */
export function dropBoxOf(policy: WritePolicy): string | undefined {
  const [first] = policy.artifactPaths;
  if (first === undefined || !isInside(first, policy.projectRoot)) return undefined;
  const name = dropBoxName(namesBelow(first, policy.projectRoot));
  return name === undefined ? undefined : `${policy.projectRoot}/.bailiwick/out/${name}`;
}

/** Reads a stored pattern below the first of `roots` that holds it. The root's own text is never read as a pattern. */
export function patternBelow(path: string, roots: readonly string[]): RootedPattern | PatternProblem {
  const root = roots.find((candidate) => isInside(path, candidate));
  if (root === undefined) return { code: 'PATH_OUTSIDE', message: `${path} lies outside ${roots.join(' and ')}` };
  if (root === path) return { code: 'PATH_TOO_WIDE', message: `${path} means everything in ${root}` };
  try {
    return { root, pattern: parsePattern(namesBelow(path, root).join('/')) };
  } catch (error) {
    if (isWritePolicyError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}
