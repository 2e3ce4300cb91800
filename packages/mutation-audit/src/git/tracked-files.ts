import type { BytePath } from '../path-name.ts';
import type { Signature } from '../tree/signature.ts';
import { AT } from '../tree/stat-rows.ts';
import { type GitState, stateKey } from './git-state.ts';
import { type GitIndex, type IndexEntry, IndexUnreadable, parseIndex } from './index-file.ts';
import type { FolderNames, IndexPaths } from './index-paths.ts';
import { parentOf } from './locate.ts';
import type { GitReading, IndexFile } from './read-states.ts';

/** What git's indexes say of paths: of each path the innermost work tree's. */
export class TrackedFiles {
  readonly #trees = new Map<BytePath, TrackedTree>();
  readonly #treeOf = new Map<BytePath, TrackedTree | undefined>();
  /** Indexes that do not read, by git folder. */
  readonly unreadable: { readonly gitFolder: BytePath; readonly reason: string }[] = [];

  /** Takes in the indexes that it doesn't have yet. */
  add(reading: GitReading): this {
    for (const state of reading.states) {
      const file = reading.indexes.get(stateKey(state));
      if (state.workTree === null || file === undefined || this.#trees.has(state.workTree)) continue;
      const index = this.#parse(state, file);
      if (index !== undefined) this.#trees.set(state.workTree, new TrackedTree(state, index, file.mtimeNs));
    }
    this.#treeOf.clear();
    return this;
  }

  /** The innermost work tree around a folder (or at it). */
  treeAt(folder: BytePath): TrackedTree | undefined {
    if (this.#treeOf.has(folder)) return this.#treeOf.get(folder);
    const tree = this.#trees.get(folder) ?? (folder === '/' ? undefined : this.treeAt(parentOf(folder)));
    this.#treeOf.set(folder, tree);
    return tree;
  }

  /** Where a path is in which index; undefined where it isn't tracked. */
  find(path: BytePath): { readonly at: number; readonly tree: TrackedTree } | undefined {
    const folder = parentOf(path);
    const tree = this.treeAt(folder);
    const at = positionOf(tree?.namesIn(folder), path.slice(path.lastIndexOf('/') + 1));
    return tree === undefined || at === undefined ? undefined : { at, tree };
  }

  #parse(state: GitState, file: IndexFile): GitIndex | undefined {
    try {
      const index = parseIndex(file.bytes(), state.objectFormat === 'sha256' ? 32 : 20);
      if (!index.isSplit) return index;
      this.unreadable.push({ gitFolder: state.gitFolder, reason: 'it is a split index' });
    } catch (error) {
      if (!(error instanceof IndexUnreadable || error instanceof RangeError)) throw error;
      this.unreadable.push({ gitFolder: state.gitFolder, reason: error.message });
    }
    return undefined;
  }
}

/** The tracked files of one work tree, by folder. */
export class TrackedTree {
  readonly workTree: BytePath;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly #index: GitIndex;
  readonly #oldestRacyNs: number;
  readonly #folders: ReturnType<IndexPaths['byFolder']>;
  /** What was asked for last: a walk asks for one folder many times, and for the next one then. */
  #last: { readonly folder: BytePath; readonly names: FolderNames | undefined } | undefined;

  constructor(state: GitState, index: GitIndex, mtimeNs: bigint) {
    this.workTree = state.workTree ?? '';
    this.objectFormat = state.objectFormat;
    this.#index = index;
    // A double holds nanoseconds to a quarter of a microsecond: what is that close counts as racy too.
    this.#oldestRacyNs = Number(mtimeNs) - 1_000;
    this.#folders = index.paths.byFolder();
  }

  namesIn(folder: BytePath): FolderNames | undefined {
    if (this.#last?.folder !== folder) this.#last = { folder, names: this.#readNames(folder) };
    return this.#last.names;
  }

  entryAt(at: number): IndexEntry {
    return this.#index.entry(at);
  }

  #readNames(folder: BytePath): FolderNames | undefined {
    const above = this.workTree === '/' ? 1 : this.workTree.length + 1;
    const stretches = this.#folders.get(folder === this.workTree ? '' : folder.slice(above));
    return stretches === undefined ? undefined : this.#index.paths.namesIn(stretches);
  }

  /**
   * Whether the index vouches for the content behind a signature: git noted the same one after it had read the file, and the file is
   * older than the index, so that no later write can share it.
   */
  vouchesFor(at: number, signature: Signature): boolean {
    return signature.about(AT.mtimeNs) < this.#oldestRacyNs && this.#index.matches(at, signature);
  }
}

/** Where a name stands in the index; undefined where the folder doesn't have it. */
export function positionOf(folder: FolderNames | undefined, name: string): number | undefined {
  if (folder === undefined) return undefined;
  let low = 0;
  let high = folder.names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((folder.names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return folder.names[low] === name ? folder.positions[low] : undefined;
}
