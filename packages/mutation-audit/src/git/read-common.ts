import type { BytePath } from '../path-name.ts';
import { isProblem, joinBytes, lookAt, readNames, type WalkProblem } from '../tree/folder-reader.ts';
import { isFolderMode } from '../tree/stat-rows.ts';
import { configValue, parseConfigText } from './config-text.ts';
import { listFilesBelow, readControlFile, valueOfFile } from './control-file.ts';
import { itemKey } from './git-state.ts';
import { type Refs, readRefs, readStash } from './refs.ts';
import { readReftable } from './reftable.ts';

/** Where items and problems of a reading go. */
export interface Findings {
  readonly items: Record<string, string>;
  readonly problems: WalkProblem[];
  /** Absolute paths that are left out. */
  readonly exclude: ReadonlySet<BytePath>;
}

/** What a repository says about itself. */
export interface RepositoryFormat {
  readonly objectFormat: 'sha1' | 'sha256';
  readonly refFormat: 'files' | 'reftable';
}

/** The formats that the repository's configuration names. */
export function readFormat(commonFolder: BytePath): RepositoryFormat {
  const file = readControlFile(joinBytes(commonFolder, 'config'));
  const entries = file.kind === 'bytes' ? parseConfigText(file.bytes.toString('latin1')) : [];
  return {
    objectFormat: configValue(entries, 'extensions', 'objectformat') === 'sha256' ? 'sha256' : 'sha1',
    refFormat: configValue(entries, 'extensions', 'refstorage') === 'reftable' ? 'reftable' : 'files',
  };
}

/** Reads what all work trees of a repository share: refs, stash, config, hooks, info, and what is none of git's business. */
export function readCommonItems(commonFolder: BytePath, format: RepositoryFormat, found: Findings): void {
  for (const [name, value] of refsOf(commonFolder, format, found)) found.items[itemKey('ref', name)] = value;
  const stash = readStash(commonFolder, (problem) => found.problems.push(problem));
  if (stash !== null) found.items[itemKey('stash', 'refs/stash')] ??= stash;
  addFile(found, commonFolder, 'config', { key: itemKey('config', 'config') });
  addFile(found, commonFolder, 'shallow', { key: itemKey('file', 'shallow') });
  addFile(found, commonFolder, 'objects/info/alternates', { key: itemKey('file', 'objects/info/alternates') });
  addFolder(found, commonFolder, 'hooks', (name) => itemKey('hook', `hooks/${name}`));
  addInfo(found, commonFolder);
  addUnknown(found, commonFolder);
}

/** `info/` of a git folder: the rules and grafts by content. */
export function addInfo(found: Findings, gitFolder: BytePath): void {
  for (const name of listFilesBelow(joinBytes(gitFolder, 'info'), (problem) => found.problems.push(problem))) {
    if (NEUTRAL_INFO.has(name) || name.endsWith('.lock')) continue;
    const part = name === 'exclude' ? 'exclude' : name === 'attributes' ? 'attributes' : 'file';
    addFile(found, gitFolder, `info/${name}`, { key: itemKey(part, `info/${name}`) });
  }
}

/** One control file by content. */
export function addFile(
  found: Findings,
  gitFolder: BytePath,
  name: string,
  o: { key: string; withMode?: boolean },
): void {
  const path = joinBytes(gitFolder, name);
  if (found.exclude.has(path)) return;
  const file = readControlFile(path);
  if (file.kind === 'problem') found.problems.push(file.problem);
  const value = valueOfFile(file, { withMode: o.withMode ?? false });
  if (value !== null) found.items[o.key] = value;
}

/** All files of a control folder by content and mode. */
export function addFolder(
  found: Findings,
  gitFolder: BytePath,
  name: string,
  keyOf: (relative: string) => string,
): void {
  const folder = joinBytes(gitFolder, name);
  if (found.exclude.has(folder)) return;
  const files = listFilesBelow(folder, (problem) => found.problems.push(problem), { maxFiles: MAX_FOLDER_FILES });
  for (const relative of files) {
    addFile(found, gitFolder, `${name}/${relative}`, { key: keyOf(relative), withMode: true });
  }
}

/** Whatever lies in a git folder and is neither read elsewhere nor neutral. */
export function addUnknown(found: Findings, gitFolder: BytePath): void {
  const names = readNames(gitFolder);
  if (isProblem(names)) {
    found.problems.push(names);
    return;
  }
  for (const name of names) {
    const path = joinBytes(gitFolder, name);
    if (found.exclude.has(path) || READ_ELSEWHERE.has(name) || isNeutral(name)) continue;
    const stat = lookAt(path);
    if (stat === undefined) continue;
    if (isProblem(stat)) found.problems.push(stat);
    else if (isFolderMode(stat.mode))
      addFolder(found, gitFolder, name, (relative) => itemKey('file', `${name}/${relative}`));
    else addFile(found, gitFolder, name, { key: itemKey('file', name), withMode: true });
  }
}

function refsOf(commonFolder: BytePath, format: RepositoryFormat, found: Findings): Refs {
  if (format.refFormat === 'files') return readRefs(commonFolder, (problem) => found.problems.push(problem));
  const refs = readReftable(joinBytes(commonFolder, 'reftable'), (problem) => found.problems.push(problem));
  const stash = refs.get('refs/stash');
  if (stash !== undefined) found.items[itemKey('stash', 'refs/stash')] = stash;
  refs.delete('refs/stash');
  refs.delete('HEAD');
  return refs;
}

function isNeutral(name: string): boolean {
  return NEUTRAL.has(name) || NEUTRAL_PATTERN.test(name);
}

const MAX_FOLDER_FILES = 5_000;

/** Read by meaning by another function. */
const READ_ELSEWHERE = new Set([
  'HEAD',
  'config',
  'config.worktree',
  'hooks',
  'info',
  'index',
  'modules',
  'packed-refs',
  'refs',
  'reftable',
  'shallow',
  'worktrees',
  'gitdir',
  'commondir',
  'locked',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
]);

/** Object store, logs, message files, caches and packing: no meaning (MA-12). */
const NEUTRAL = new Set([
  'objects',
  'logs',
  'lfs',
  'rr-cache',
  'branches',
  'description',
  'ORIG_HEAD',
  'FETCH_HEAD',
  'AUTO_MERGE',
  'MERGE_MODE',
  'MERGE_RR',
  'MERGE_AUTOSTASH',
  'EDIT_DESCRIPTION',
  'ADD_EDIT.patch',
  'gc.log',
  'gc.pid',
  'gitk.cache',
  'fsmonitor--daemon',
  'fsmonitor--daemon.ipc',
]);
const NEUTRAL_PATTERN =
  /^[A-Z]+_?(?:EDITMSG|MSG)$|\.lock$|^sharedindex\.|^index\.|^next-index-|^packed-refs\.|^\.tmp-|^tmp_/;
const NEUTRAL_INFO = new Set(['refs', 'sparse-checkout.lock', 'commit-graph']);
