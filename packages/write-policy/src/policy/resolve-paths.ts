import { WritePolicyError } from '../errors.ts';
import { isInside, isNormalized, namesBelow, policyText } from '../paths/path-name.ts';
import { escapeText } from '../patterns/dialect.ts';
import { parsePattern } from '../patterns/pattern.ts';
import type { NamedPath, NamedPaths } from './named-paths.ts';
import type { PathFacts } from './request.ts';

/** Roots as given and as they really are: a path is judged by the latter, and a refusal explained by the former. */
interface Roots {
  readonly given: readonly string[];
  readonly real: readonly string[];
}

export interface ResolvedPaths {
  readonly projectRoot: string;
  readonly worktree: string;
  readonly dropBox: string | undefined;
  readonly artifacts: readonly string[];
  readonly planned: readonly string[];
  readonly auxiliary: readonly string[];
  readonly scratch: readonly string[];
}

/**
 * Every path of a request with its links resolved, as a policy stores it.
 *
 * @throws WritePolicyError PATH_NOT_RESOLVED, PATH_OUTSIDE, PATH_THROUGH_SYMLINK, GLOB_INVALID
 */
export function resolvePaths(named: NamedPaths, facts: PathFacts): ResolvedPaths {
  const projectRoot = realPath(named.projectRoot, facts);
  const worktree = realPath(named.worktree, facts);
  const project = { given: [named.projectRoot.folder], real: [projectRoot] };
  const tree = { given: [named.worktree.folder], real: [worktree] };
  const either = { given: [...tree.given, ...project.given], real: [worktree, projectRoot] };
  const plain = (path: NamedPath) => resolveInside(path, project, facts).real;
  const pattern = (roots: Roots) => (path: NamedPath) => resolvePattern(path, roots, facts);
  return {
    projectRoot,
    worktree,
    dropBox: named.dropBox === undefined ? undefined : plain(named.dropBox),
    artifacts: named.artifacts.map(plain),
    planned: named.planned.map(pattern(tree)),
    auxiliary: named.auxiliary.map((path) => realPath(path, facts)),
    scratch: named.scratch.map(pattern(either)),
  };
}

function resolvePattern(path: NamedPath, roots: Roots, facts: PathFacts): string {
  const { real, root } = resolveInside(path, roots, facts);
  const above = escapeText(namesBelow(real, root).join('/'));
  const text = parsePattern(path.rest === '' ? above : `${above}/${path.rest}`).text;
  return text === '' ? root : `${root}/${text}`;
}

function resolveInside(
  path: NamedPath,
  roots: Roots,
  facts: PathFacts,
): { readonly real: string; readonly root: string } {
  const real = realPath(path, facts);
  const root = roots.real.find((candidate) => isInside(real, candidate));
  if (root === undefined) throw leaves(path, real, roots);
  return { real, root };
}

function realPath(path: NamedPath, facts: PathFacts): string {
  const real = facts.realPathOf.get(path.folder);
  if (real === undefined) {
    throw new WritePolicyError('PATH_NOT_RESOLVED', `nobody said where ${path.folder} really is`, {
      path: path.folder,
      hint: 'give the facts of every path that pathsToResolve names',
    });
  }
  const text = policyText(real, `the real path of ${path.folder}`);
  if (!isNormalized(text)) {
    throw new WritePolicyError(
      'PATH_INVALID',
      `the real path of ${path.folder} is not absolute and normalized: ${text}`,
      {
        path: text,
      },
    );
  }
  return text;
}

function leaves(path: NamedPath, real: string, roots: Roots): WritePolicyError {
  const linked = [...roots.given, ...roots.real].some((root) => isInside(path.folder, root));
  const where = roots.real.join(' and ');
  return linked
    ? new WritePolicyError(
        'PATH_THROUGH_SYMLINK',
        `${path.given} leads through a symbolic link to ${real}, out of ${where}`,
        {
          path: path.given,
          hint: 'name the place itself, or remove the link',
        },
      )
    : new WritePolicyError('PATH_OUTSIDE', `${path.given} lies outside ${where}`, { path: path.given });
}
