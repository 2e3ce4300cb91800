import { type GitState, splitItemKey, stateKey } from '../git/git-state.ts';
import { type GitIndex, IndexUnreadable, parseIndex } from '../git/index-file.ts';
import type { IndexFile } from '../git/read-states.ts';
import type { ObservedGitChange, UnverifiablePath } from '../model.ts';
import { type BytePath, displayPath, toPathName } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';

/** Git's state at one time. */
export interface GitSide {
  readonly states: readonly GitState[];
  readonly indexes: ReadonlyMap<string, IndexFile>;
}

/** What differs, and what could not be compared. */
export interface GitDifference {
  readonly changes: readonly ObservedGitChange[];
  readonly unverifiable: readonly UnverifiablePath[];
}

/** Compares git's state by meaning. `isIgnored` says of a work tree whether it was ignored at the baseline. */
export function observeGit(before: GitSide, after: GitSide, isIgnored: (workTree: BytePath) => boolean): GitDifference {
  const observer = new GitObserver(isIgnored);
  const was = new Map(before.states.map((state) => [stateKey(state), state]));
  const is = new Map(after.states.map((state) => [stateKey(state), state]));
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    observer.compareState(was.get(key), is.get(key));
    const state = is.get(key);
    if (state !== undefined && was.has(key))
      observer.compareIndex(state, before.indexes.get(key), after.indexes.get(key));
  }
  return observer;
}

/** More index entries than this are told as one sum. */
const MAX_LISTED_ENTRIES = 200;

class GitObserver implements GitDifference {
  readonly changes: ObservedGitChange[] = [];
  readonly unverifiable: UnverifiablePath[] = [];
  readonly #isIgnored: (workTree: BytePath) => boolean;

  constructor(isIgnored: (workTree: BytePath) => boolean) {
    this.#isIgnored = isIgnored;
  }

  compareState(before: GitState | undefined, after: GitState | undefined): void {
    if (before === undefined || after === undefined) {
      this.#compareExistence(before, after);
      return;
    }
    for (const { path, reason } of [...before.problems, ...after.problems]) this.#addUnverifiable(after, path, reason);
    for (const key of new Set([...Object.keys(before.items), ...Object.keys(after.items)])) {
      const [was, is] = [before.items[key] ?? null, after.items[key] ?? null];
      if (was === is) continue;
      const { part, name } = splitItemKey(key);
      this.#add(after, {
        what: part,
        name: showBytes(name),
        before: was,
        after: is,
        path: joinBytes(after.gitFolder, name),
      });
    }
  }

  compareIndex(state: GitState, before: IndexFile | undefined, after: IndexFile | undefined): void {
    if (before === undefined && after === undefined) return;
    if (before !== undefined && after !== undefined && before.digest === after.digest) return;
    const path = joinBytes(state.gitFolder, 'index');
    // An index that could not be read is told already; it is not an empty one.
    if (state.problems.some((problem) => problem.path === path)) return;
    try {
      const oidBytes = state.objectFormat === 'sha256' ? 32 : 20;
      this.#addEntries(state, path, diffIndexes(parsed(before, oidBytes), parsed(after, oidBytes)));
    } catch (error) {
      if (!(error instanceof IndexUnreadable || error instanceof RangeError)) throw error;
      this.#addUnverifiable(state, path, `git's index does not read: ${error.message}`);
    }
  }

  /** A repository or work tree that came or went is one change, told of what it is. */
  #compareExistence(before: GitState | undefined, after: GitState | undefined): void {
    const state = after ?? before;
    if (state === undefined || (state.kind === 'checkout' && state.gitFolder === state.repository)) return;
    this.#add(state, {
      what: state.kind === 'common' ? 'repository' : 'worktree',
      name: showBytes(state.gitFolder),
      before: before === undefined ? null : 'present',
      after: after === undefined ? null : 'present',
      path: state.gitFolder,
    });
  }

  #addEntries(state: GitState, path: BytePath, entries: readonly EntryDifference[]): void {
    for (const { name, before, after } of entries.slice(0, MAX_LISTED_ENTRIES)) {
      this.#add(state, { what: 'index', name: showBytes(name), before, after, path });
    }
    const more = entries.length - MAX_LISTED_ENTRIES;
    if (more > 0) {
      this.#add(state, { what: 'index', name: `${more} more entries`, before: null, after: `${more} more`, path });
    }
  }

  #add(
    state: GitState,
    change: Pick<ObservedGitChange, 'what' | 'name' | 'before' | 'after'> & { path: BytePath },
  ): void {
    this.changes.push({
      root: showBytes(state.workTree ?? state.gitFolder),
      repository: showBytes(state.repository),
      nested: state.nested,
      ignored: state.nested && this.#isIgnored(state.workTree ?? state.gitFolder),
      ...change,
      path: showBytes(change.path),
    });
  }

  #addUnverifiable(state: GitState, path: BytePath, reason: string): void {
    const ignored = state.nested && this.#isIgnored(state.workTree ?? state.gitFolder);
    this.unverifiable.push({ path: toPathName(path), reason, ignored });
  }
}

interface EntryDifference {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

function parsed(file: IndexFile | undefined, oidBytes: 20 | 32): GitIndex | undefined {
  if (file === undefined) return undefined;
  const index = parseIndex(file.bytes(), oidBytes);
  if (index.isSplit) throw new IndexUnreadable('it is a split index');
  return index;
}

function diffIndexes(before: GitIndex | undefined, after: GitIndex | undefined): readonly EntryDifference[] {
  const was = meanings(before);
  const differences: EntryDifference[] = [];
  for (const [name, value] of meanings(after)) {
    const old = was.get(name) ?? null;
    was.delete(name);
    if (old !== value) differences.push({ name, before: old, after: value });
  }
  for (const [name, value] of was) differences.push({ name, before: value, after: null });
  return differences;
}

/** Path → what its entries mean; the stages of a conflict are one value. */
export function meanings(index: GitIndex | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < (index?.count ?? 0); at += 1) {
    const path = index?.paths.at(at) ?? '';
    const value = index?.meaning(at) ?? '';
    const earlier = found.get(path);
    found.set(path, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return found;
}

function showBytes(path: BytePath): string {
  return displayPath(toPathName(path));
}
