import { realpathSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import { MutationAuditError } from '../errors.ts';
import { isGitFolder, parentOf } from '../git/locate.ts';
import type { SnapshotRoot } from '../model.ts';
import { type BytePath, forFileSystem, toBytePath } from '../path-name.ts';
import { isProblem, joinBytes, lookAt } from '../tree/folder-reader.ts';
import { isFolderMode } from '../tree/stat-rows.ts';

/** A root: walked by itself, or with another that it lies in. */
export interface CheckedRoot {
  readonly path: BytePath;
  readonly git: 'auto' | 'none';
  readonly isWalked: boolean;
}

type RootPath = Omit<CheckedRoot, 'isWalked'>;

/**
 * The roots, each an existing folder; one that lies in another which is walked anyway isn't walked again. Throws SNAPSHOT_ROOT_INVALID, or
 * SNAPSHOT_ROOT_BARE for a bare repository.
 */
export function checkRoots(roots: readonly SnapshotRoot[], exclude: readonly BytePath[]): readonly CheckedRoot[] {
  const checked = [...new Map(roots.map(checkRoot).map((root) => [root.path, root])).values()];
  return checked.map((root) => ({ ...root, isWalked: !checked.some((other) => covers(other, root, exclude)) }));
}

/** The excluded paths as given and with links in the folders above them resolved, so that either spelling is left out. */
export function bothSpellings(paths: readonly string[]): readonly BytePath[] {
  return [
    ...new Set(
      paths.map((path) => toBytePath(normalize(path))).flatMap((path) => [trimSlash(path), resolved(trimSlash(path))]),
    ),
  ];
}

function checkRoot(root: SnapshotRoot): RootPath {
  const path = trimSlash(toBytePath(normalize(root.path)));
  const stat = isAbsolute(root.path) ? lookAt(path) : undefined;
  if (stat === undefined || isProblem(stat) || !isFolderMode(stat.mode)) {
    throw new MutationAuditError(
      'SNAPSHOT_ROOT_INVALID',
      `The root ${root.path} is not an absolute path of a folder.`,
      {
        path: root.path,
        hint: 'Name an existing folder, not a link to one.',
      },
    );
  }
  if (root.git === 'auto' && lookAt(joinBytes(path, '.git')) === undefined && isGitFolder(path)) {
    throw new MutationAuditError('SNAPSHOT_ROOT_BARE', `The root ${root.path} is a bare repository.`, {
      path: root.path,
      hint: 'Name a work tree.',
    });
  }
  return { path, git: root.git };
}

function covers(other: RootPath, root: RootPath, exclude: readonly BytePath[]): boolean {
  if (!isBelow(root.path, other.path)) return false;
  const between = root.path.slice(other.path.length);
  if (other.git === 'auto' && `${between}/`.includes('/.git/')) return false;
  return !exclude.some((path) => isBelow(path, other.path) && (root.path === path || isBelow(root.path, path)));
}

/** Whether a path lies below a folder. */
export function isBelow(path: BytePath, folder: BytePath): boolean {
  return path.startsWith(joinBytes(folder, '')) && path !== folder;
}

function trimSlash(path: BytePath): BytePath {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function resolved(path: BytePath): BytePath {
  try {
    return realpathSync.native(forFileSystem(path), 'latin1');
  } catch {
    if (path === '/') return path;
    return joinBytes(resolved(parentOf(path)), path.slice(path.lastIndexOf('/') + 1));
  }
}
