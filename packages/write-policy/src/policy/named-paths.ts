import { posix } from 'node:path';
import { WritePolicyError } from '../errors.ts';
import type { PathName } from '../model.ts';
import { absolutePath, policyText, sortedPaths } from '../paths/path-name.ts';
import { isActive, unescapeText } from '../patterns/dialect.ts';
import type { WritePolicyRequest } from './request.ts';

/** A path of a request, absolute but not resolved: what lies above its first wildcard, and the pattern below that. */
export interface NamedPath {
  /** As the caller gave it, for messages. */
  readonly given: string;
  /** Absolute, normalized, unescaped: what a disk is asked about. */
  readonly folder: string;
  /** The names from the first wildcard on; empty for a plain path. */
  readonly rest: string;
}

export interface NamedPaths {
  readonly projectRoot: NamedPath;
  readonly worktree: NamedPath;
  readonly dropBox: NamedPath | undefined;
  readonly artifacts: readonly NamedPath[];
  readonly planned: readonly NamedPath[];
  readonly auxiliary: readonly NamedPath[];
  readonly scratch: readonly NamedPath[];
}

/**
 * The absolute paths whose real paths {@link PathFacts} must hold, sorted.
 *
 * @throws WritePolicyError PATH_INVALID, PATH_NOT_UTF8, PATH_TOO_LONG, GLOB_INVALID
 */
export function pathsToResolve(request: WritePolicyRequest): readonly string[] {
  const named = namePaths(request);
  const all = [
    named.projectRoot,
    named.worktree,
    ...named.artifacts,
    ...named.planned,
    ...named.auxiliary,
    ...named.scratch,
  ];
  if (named.dropBox !== undefined) all.push(named.dropBox);
  return sortedPaths(all.map((path) => path.folder));
}

/** Every path of a request, read as text alone. */
export function namePaths(request: WritePolicyRequest): NamedPaths {
  const projectRoot = rootPath(request.projectRoot, 'the project root');
  const worktree = request.worktree === undefined ? projectRoot : rootPath(request.worktree, 'the worktree');
  const plain = (what: string) => (path: PathName) => plainPath(path, projectRoot.folder, what);
  const pattern = (what: string) => (path: PathName) => patternPath(path, worktree.folder, what);
  return {
    projectRoot,
    worktree,
    dropBox: request.dropBox === undefined ? undefined : plain('the drop box')(request.dropBox),
    artifacts: (request.artifactPaths ?? []).map(plain('an artifact path')),
    planned: (request.plannedPaths ?? []).map(pattern('a planned path')),
    auxiliary: (request.auxiliaryRoots ?? []).map(plain('an auxiliary root')),
    scratch: (request.scratch ?? []).map(pattern('a scratch path')),
  };
}

function rootPath(path: PathName, what: string): NamedPath {
  const given = policyText(path, what);
  if (!posix.isAbsolute(given)) {
    throw new WritePolicyError('PATH_INVALID', `${what} is not absolute: ${given}`, { path: given });
  }
  return plainPath(given, '/', what);
}

function plainPath(path: PathName, base: string, what: string): NamedPath {
  const given = policyText(path, what);
  return { given, folder: absolutePath(given, base), rest: '' };
}

/** A root's own name is never read as a pattern: it may hold any character. */
function patternPath(path: PathName, base: string, what: string): NamedPath {
  const given = policyText(path, what);
  const names = (given.startsWith(`${base}/`) ? given.slice(base.length + 1) : given).split('/');
  const first = names.findIndex(isActive);
  if (first === -1) return { given, folder: absolutePath(unescapeText(names.join('/')), base), rest: '' };
  const rest = names.slice(first).join('/');
  if (names.slice(first).includes('..')) {
    throw new WritePolicyError('GLOB_INVALID', `${what} goes up with ".." after a wildcard: ${given}`, { path: given });
  }
  const above = unescapeText(names.slice(0, first).join('/'));
  return { given, folder: absolutePath(names[0] === '' ? `/${above}` : above, base), rest };
}
