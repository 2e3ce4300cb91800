import { type BytePath, isAscii } from '../path-name.ts';
import { isProblem, joinBytes, lookAt, readNames, type WalkProblem } from './folder-reader.ts';
import type { KeptMemory } from './kept-memory.ts';
import type { SharedQueue } from './shared-queue.ts';
import { isFolderMode, type StatChunks, StatRows } from './stat-rows.ts';
import type { Share } from './turn.ts';

/** What one thread found. */
export interface WalkPart {
  /** Path and `name/name/…` of each folder (or slice of a large one), all in a row; the rows of the names follow one another. */
  readonly text: Uint8Array;
  /** For each of them SLICE_FIELDS numbers: bytes of the path, bytes of the names, count of the names. */
  readonly slices: Uint32Array;
  readonly rows: StatChunks;
  readonly problems: readonly WalkProblem[];
  /** Every `.git` that was found; none of them was entered. */
  readonly gitEntries: readonly BytePath[];
  readonly ignoreFiles: readonly BytePath[];
}

/** Numbers for each slice of a part. */
export const SLICE_FIELDS = 3;

/** What a walk leaves out. */
export interface WalkLimits {
  /** Absolute paths that are left out with all below them. */
  readonly exclude: readonly BytePath[];
  /** Roots below which a `.git` is an ordinary entry. */
  readonly plainRoots: readonly BytePath[];
}

/** A folder with more names than this is shared out in slices. */
const SLICE_NAMES = 2048;

/**
 * Walks until the shared queue has nothing left: one thread's share. A unit is a folder's path, or
 * `path \0 name/name` for a slice. Links are never followed; errors become problems, never silence. The part lies in `memory`.
 */
export function* walkShare(queue: SharedQueue, limits: WalkLimits, memory: KeptMemory): Share<WalkPart> {
  const walk = new Walk(limits, memory);
  for (let unit = queue.take(); unit !== undefined; unit = queue.take()) {
    walk.own.push(unit);
    for (let own = walk.own.pop(); own !== undefined; own = walk.own.pop()) {
      const before = walk.own.length;
      walk.visit(own);
      queue.begin(walk.own.length - before);
      queue.finish();
      giveAway(walk.own, queue);
      yield;
    }
  }
  return walk.part();
}

function giveAway(own: string[], queue: SharedQueue): void {
  while (own.length > 1 && queue.isHungry) {
    // The oldest unit is the highest folder, so most likely the largest piece of work.
    const oldest = own.shift();
    if (oldest === undefined) return;
    if (queue.offer(oldest)) continue;
    own.unshift(oldest);
    return;
  }
}

class Walk {
  readonly own: string[] = [];
  readonly #texts: string[] = [];
  readonly #slices: number[] = [];
  readonly #memory: KeptMemory;
  readonly #rows: StatRows;
  readonly #problems: WalkProblem[] = [];
  readonly #gitEntries: BytePath[] = [];
  readonly #ignoreFiles: BytePath[] = [];
  readonly #excluded: ReadonlyMap<BytePath, ReadonlySet<string>>;
  readonly #plainRoots: readonly BytePath[];

  constructor(limits: WalkLimits, memory: KeptMemory) {
    this.#memory = memory;
    this.#rows = new StatRows(memory);
    this.#excluded = byFolder(limits.exclude);
    this.#plainRoots = limits.plainRoots;
  }

  visit(unit: string): void {
    const cut = unit.indexOf('\0');
    if (cut >= 0) this.#record(unit.slice(0, cut), unit.slice(cut + 1).split('/'));
    else this.#list(unit);
  }

  #list(unit: BytePath): void {
    const names = readNames(unit);
    if (isProblem(names)) {
      this.#problems.push(names);
      this.#record(unit, []);
      return;
    }
    const kept = this.#withoutExcluded(unit, names);
    for (let at = SLICE_NAMES; at < kept.length; at += SLICE_NAMES) {
      this.own.push(`${unit}\0${kept.slice(at, at + SLICE_NAMES).join('/')}`);
    }
    this.#record(unit, kept.length > SLICE_NAMES ? kept.slice(0, SLICE_NAMES) : kept);
  }

  part(): WalkPart {
    return {
      text: this.#text(),
      slices: Uint32Array.from(this.#slices),
      rows: this.#rows.take(),
      problems: this.#problems,
      gitEntries: this.#gitEntries,
      ignoreFiles: this.#ignoreFiles,
    };
  }

  #text(): Uint8Array {
    const text = this.#texts.join('');
    const bytes = Buffer.from(this.#memory.take(text.length), 0, text.length);
    bytes.write(text, 'latin1');
    return bytes;
  }

  #record(folder: BytePath, names: readonly string[]): void {
    const kept: string[] = [];
    const prefix = joinBytes(folder, '');
    const plain = isAscii(prefix) && isAscii(names.join(''));
    for (const name of names) if (this.#recordEntry(folder, prefix + name, { name, plain })) kept.push(name);
    const joined = kept.join('/');
    this.#texts.push(folder, joined);
    this.#slices.push(folder.length, joined.length, kept.length);
  }

  #recordEntry(folder: BytePath, path: BytePath, { name, plain }: { name: string; plain: boolean }): boolean {
    if (name === '.git' && !this.#isPlain(folder)) {
      this.#gitEntries.push(path);
      return false;
    }
    const stat = lookAt(path, plain);
    // Gone since the listing: the folder's own times have moved, so the comparison lists it again.
    if (stat === undefined) return false;
    if (isProblem(stat)) {
      this.#problems.push(stat);
      this.#rows.push(undefined);
      return true;
    }
    this.#rows.push(stat);
    if (isFolderMode(stat.mode)) this.own.push(path);
    else if (name === '.gitignore') this.#ignoreFiles.push(path);
    return true;
  }

  #withoutExcluded(folder: BytePath, names: readonly string[]): readonly string[] {
    const excluded = this.#excluded.get(folder);
    return excluded === undefined ? names : names.filter((name) => !excluded.has(name));
  }

  #isPlain(folder: BytePath): boolean {
    return this.#plainRoots.some((root) => folder === root || folder.startsWith(joinBytes(root, '')));
  }
}

/** Parent folder → names that are left out in it. */
export function byFolder(paths: readonly BytePath[]): ReadonlyMap<BytePath, ReadonlySet<string>> {
  const folders = new Map<BytePath, Set<string>>();
  for (const path of paths) {
    const cut = path.lastIndexOf('/');
    const folder = cut === 0 ? '/' : path.slice(0, cut);
    const names = folders.get(folder) ?? new Set();
    names.add(path.slice(cut + 1));
    folders.set(folder, names);
  }
  return folders;
}
