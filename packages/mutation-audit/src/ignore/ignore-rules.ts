import type { BytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { type IgnorePattern, matchesPattern, parseIgnoreText } from './patterns.ts';

/** The ignore rules of one work tree, as texts: what the snapshot keeps of them. */
export interface IgnoreSource {
  readonly workTree: BytePath;
  /** A root lies in it: what a work tree around it ignores says nothing of it. */
  readonly isOwn: boolean;
  /** Rules for the whole work tree, weakest first: the user's, then `info/exclude`. */
  readonly shared: readonly string[];
  /** Folder → text of its `.gitignore`. */
  readonly files: readonly (readonly [BytePath, string])[];
}

/**
 * Answers what git would ignore, from rules that were read earlier: a worker's later edit of them changes nothing.
 * Whether a path is tracked is the caller's to know; git never ignores what it tracks.
 */
export class IgnoreRules {
  readonly #trees: readonly TreeRules[];

  constructor(sources: readonly IgnoreSource[]) {
    this.#trees = sources.map((source) => new TreeRules(source)).sort((a, b) => b.workTree.length - a.workTree.length);
  }

  /** Whether `path` or a folder above it matches, by the rules of the innermost work tree, then of those around it. */
  isIgnored(path: BytePath, isFolder: boolean): boolean {
    let at = path;
    let asFolder = isFolder;
    for (const tree of this.#trees) {
      if (at === tree.workTree && tree.isOwn) return false;
      if (at === tree.workTree || !at.startsWith(joinBytes(tree.workTree, ''))) continue;
      if (tree.isIgnored(at, asFolder)) return true;
      if (tree.isOwn) return false;
      at = tree.workTree;
      asFolder = true;
    }
    return false;
  }
}

class TreeRules {
  readonly workTree: BytePath;
  readonly isOwn: boolean;
  readonly #prefix: BytePath;
  readonly #shared: readonly (readonly IgnorePattern[])[];
  readonly #files: ReadonlyMap<BytePath, readonly IgnorePattern[]>;
  readonly #folders = new Map<BytePath, boolean>();

  constructor(source: IgnoreSource) {
    this.workTree = source.workTree;
    this.isOwn = source.isOwn;
    this.#prefix = joinBytes(source.workTree, '');
    this.#shared = source.shared.map(parseIgnoreText);
    this.#files = new Map(source.files.map(([folder, text]) => [folder, parseIgnoreText(text)]));
  }

  isIgnored(path: BytePath, isFolder: boolean): boolean {
    const cut = path.lastIndexOf('/');
    const folder = cut <= this.workTree.length ? this.workTree : path.slice(0, cut);
    if (folder !== this.workTree && this.#isIgnoredFolder(folder)) return true;
    return this.#decide(path, isFolder);
  }

  #isIgnoredFolder(folder: BytePath): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const ignored = this.isIgnored(folder, true);
    this.#folders.set(folder, ignored);
    return ignored;
  }

  /** The last matching pattern of the nearest file decides. */
  #decide(path: BytePath, isFolder: boolean): boolean {
    const parts = path.slice(this.#prefix.length).split('/');
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const folder = depth === 0 ? this.workTree : this.#prefix + parts.slice(0, depth).join('/');
      const patterns = this.#files.get(folder);
      const match = patterns?.findLast((pattern) => matchesPattern(pattern, parts.slice(depth), isFolder));
      if (match !== undefined) return !match.negated;
    }
    for (const patterns of this.#shared.toReversed()) {
      const match = patterns.findLast((pattern) => matchesPattern(pattern, parts, isFolder));
      if (match !== undefined) return !match.negated;
    }
    return false;
  }
}
