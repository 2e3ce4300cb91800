import { realpathSync } from 'node:fs';
import { type BytePath, forFileSystem } from '../path-name.ts';
import { isProblem, joinBytes, lookAt } from '../tree/folder-reader.ts';
import { isFolderMode } from '../tree/stat-rows.ts';
import { readControlFile } from './control-file.ts';

/** Where a work tree's repository is. `linkText` is what a `.git` file or link says, null for a folder. */
export interface RepositoryPlace {
  readonly workTree: BytePath;
  readonly gitFolder: BytePath;
  readonly commonFolder: BytePath;
  readonly linkText: string | null;
}

/** The repository that `<workTree>/.git` names, read by ourselves; undefined where that is no repository. */
export function placeAt(workTree: BytePath): RepositoryPlace | undefined {
  const dotGit = joinBytes(workTree, '.git');
  const stat = lookAt(dotGit);
  if (stat === undefined || isProblem(stat)) return undefined;
  if (isFolderMode(stat.mode)) return placeOf(workTree, dotGit, null);
  const file = readControlFile(dotGit);
  if (file.kind === 'other') return placeOf(workTree, dotGit, file.value);
  if (file.kind !== 'bytes') return undefined;
  const text = file.bytes.toString('latin1').trimEnd();
  const target = /^gitdir: (.+)$/s.exec(text)?.[1];
  return target === undefined ? undefined : placeOf(workTree, resolveBytes(workTree, target), text);
}

/** The repository of the nearest folder at or above `folder` that has one. */
export function placeAbove(folder: BytePath): RepositoryPlace | undefined {
  for (let at = folder; ; at = parentOf(at)) {
    const place = placeAt(at);
    if (place !== undefined || at === '/') return place;
  }
}

/** Whether a folder is itself a git folder: `HEAD`, `objects/` and `refs/`. */
export function isGitFolder(folder: BytePath): boolean {
  const head = lookAt(joinBytes(folder, 'HEAD'));
  return head !== undefined && !isProblem(head) && hasFolder(folder, 'objects') && hasFolder(folder, 'refs');
}

/** The folder that holds refs, objects and config for a git folder: itself, or what its `commondir` names. */
function commonFolderOf(gitFolder: BytePath): BytePath {
  const file = readControlFile(joinBytes(gitFolder, 'commondir'));
  if (file.kind !== 'bytes') return gitFolder;
  return real(resolveBytes(gitFolder, file.bytes.toString('latin1').trimEnd()));
}

/** Resolves `target` against `base`, by text. */
export function resolveBytes(base: BytePath, target: BytePath): BytePath {
  const parts: string[] = [];
  for (const part of (target.startsWith('/') ? target : `${base}/${target}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The folder above; the root's is the root. */
export function parentOf(path: BytePath): BytePath {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}

function placeOf(workTree: BytePath, at: BytePath, linkText: string | null): RepositoryPlace | undefined {
  const gitFolder = real(at);
  const commonFolder = commonFolderOf(gitFolder);
  const head = lookAt(joinBytes(gitFolder, 'HEAD'));
  if (head === undefined && linkText === null && !hasFolder(gitFolder, 'objects')) return undefined;
  return { workTree, gitFolder, commonFolder, linkText };
}

function hasFolder(folder: BytePath, name: string): boolean {
  const stat = lookAt(joinBytes(folder, name));
  return stat !== undefined && !isProblem(stat) && isFolderMode(stat.mode);
}

function real(path: BytePath): BytePath {
  try {
    return realpathSync.native(forFileSystem(path), 'latin1');
  } catch {
    return path;
  }
}
