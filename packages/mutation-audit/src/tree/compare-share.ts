import { type BytePath, isAscii } from '../path-name.ts';
import { isProblem, joinBytes, lookAt, readNames, type WalkProblem } from './folder-reader.ts';
import type { FolderIndex } from './folder-table.ts';
import { ALL_SIGNS, FOLDER_SIGNS, type MovedDevices, RowComparison } from './row-comparison.ts';
import { type PackedColumns, Signature } from './signature.ts';
import { AT, fileTypeOf, isFolderMode, isFolderType, STAT_WIDTH, writeRow } from './stat-rows.ts';
import type { Share } from './turn.ts';
import { byFolder, type WalkLimits } from './walk.ts';

/** A baseline, shared by threads: each takes folders by a counter. */
export interface CompareShareInput {
  readonly counter: SharedArrayBuffer;
  /** The snapshot's folder text and columns, in shared memory. */
  readonly folders: Uint8Array;
  readonly columns: PackedColumns;
  readonly movedDevices: MovedDevices;
  readonly index: FolderIndex;
  /** Signatures of the roots. */
  readonly rootColumns: PackedColumns;
  /** Per folder: 1 where its times can't be trusted to show a change of names, so that it is always listed. */
  readonly alwaysList: Uint8Array;
  readonly limits: WalkLimits;
}

/** A baseline row whose entry now looks different; `after` is absent where it is gone. */
export interface RowDifference {
  readonly row: number;
  readonly path: BytePath;
  readonly after?: BigInt64Array;
}

/** An entry that the baseline doesn't have. */
export interface NewEntry {
  readonly path: BytePath;
  readonly after: BigInt64Array;
}

/** What one thread saw. */
export interface CompareSharePart {
  readonly differences: readonly RowDifference[];
  readonly created: readonly NewEntry[];
  readonly problems: readonly WalkProblem[];
  readonly gitEntries: readonly BytePath[];
  /** Folders in which names came or went or were replaced. */
  readonly busyFolders: readonly BytePath[];
}

const BATCH = 8;

/** Looks at every baseline entry again until all folders are taken: one thread's share. */
export function* compareShare(input: CompareShareInput): Share<CompareSharePart> {
  const comparison = new Comparison(input);
  const next = new Int32Array(input.counter);
  for (;;) {
    const from = Atomics.add(next, 0, BATCH);
    if (from >= comparison.folderCount) return comparison.part();
    for (let at = from; at < Math.min(from + BATCH, comparison.folderCount); at += 1) {
      comparison.visit(at);
      yield;
    }
  }
}

class Comparison {
  readonly folderCount: number;
  readonly #text: Buffer;
  readonly #rows: RowComparison;
  readonly #roots: RowComparison;
  readonly #baseline: Signature;
  readonly #index: FolderIndex;
  readonly #input: CompareShareInput;
  readonly #excluded: ReadonlyMap<BytePath, ReadonlySet<string>>;
  readonly #differences: RowDifference[] = [];
  readonly #created: NewEntry[] = [];
  readonly #problems: WalkProblem[] = [];
  readonly #gitEntries: BytePath[] = [];
  readonly #busy: BytePath[] = [];

  constructor(input: CompareShareInput) {
    this.#input = input;
    this.#text = Buffer.from(input.folders.buffer, input.folders.byteOffset, input.folders.length);
    this.#index = input.index;
    this.folderCount = input.index.starts.length;
    this.#rows = new RowComparison(input.columns, input.movedDevices);
    this.#baseline = new Signature(input.columns);
    this.#roots = new RowComparison(input.rootColumns);
    this.#excluded = byFolder(input.limits.exclude);
  }

  visit(folder: number): void {
    const [path = '', text = ''] = this.#textOf(folder).split('\0');
    const known = text === '' ? [] : text.split('/');
    const start = this.#index.starts[folder] ?? 0;
    if (this.#input.alwaysList[folder] === 1 || !this.#hasSameTimes(path, this.#index.selfRows[folder] ?? 0)) {
      this.#visitListed(path, { known, start });
      return;
    }
    const prefix = joinBytes(path, '');
    const plain = isAscii(prefix) && isAscii(text);
    for (let at = 0; at < known.length; at += 1) this.#visitKnown(prefix + (known[at] ?? ''), start + at, plain);
  }

  #textOf(folder: number): string {
    const { textStarts } = this.#index;
    const end = folder + 1 < textStarts.length ? (textStarts[folder + 1] ?? 0) - 1 : this.#text.length;
    return this.#text.toString('latin1', textStarts[folder], end);
  }

  part(): CompareSharePart {
    return {
      differences: this.#differences,
      created: this.#created,
      problems: this.#problems,
      gitEntries: this.#gitEntries,
      busyFolders: this.#busy,
    };
  }

  /** A folder whose own times are unchanged holds the names that it held. */
  #hasSameTimes(path: BytePath, selfRow: number): boolean {
    const stat = lookAt(path);
    if (stat === undefined || isProblem(stat)) return false;
    return selfRow < 0
      ? this.#roots.isSame(stat, -1 - selfRow, FOLDER_SIGNS)
      : this.#rows.isSame(stat, selfRow, FOLDER_SIGNS);
  }

  #visitListed(path: BytePath, o: { known: readonly string[]; start: number }): void {
    const listed = this.#namesNow(path);
    // Where the folder can't be listed, its known names are looked at one by one; what it holds besides stays open.
    const names = new Set(listed ?? o.known);
    const prefix = joinBytes(path, '');
    let isBusy = false;
    for (let at = 0; at < o.known.length; at += 1) {
      const name = o.known[at] ?? '';
      if (names.delete(name)) this.#visitKnown(prefix + name, o.start + at);
      else {
        this.#differences.push({ row: o.start + at, path: prefix + name });
        isBusy = true;
      }
    }
    for (const name of names) isBusy = this.#visitNew(path, prefix, name) || isBusy;
    if (isBusy) this.#busy.push(path);
  }

  #visitKnown(path: BytePath, row: number, plain = false): void {
    const stat = lookAt(path, plain);
    if (isProblem(stat)) {
      this.#problems.push(stat);
      return;
    }
    if (stat === undefined) {
      this.#differences.push({ row, path });
      return;
    }
    if (this.#rows.isSame(stat, row, ALL_SIGNS)) return;
    const after = new BigInt64Array(STAT_WIDTH);
    writeRow(after, 0, stat);
    this.#differences.push({ row, path, after });
    this.#baseline.row = row;
    if (!isFolderType(this.#baseline.low(AT.mode)) && isFolderMode(stat.mode)) this.#walkNew(path);
    if (!this.#rows.isSameIn(AT.ino, row)) this.#busy.push(path.slice(0, path.lastIndexOf('/')) || '/');
  }

  /** Returns whether the name counts as news for its folder. */
  #visitNew(folder: BytePath, prefix: string, name: string): boolean {
    if (name === '.git' && !this.#isPlain(folder)) {
      this.#gitEntries.push(prefix + name);
      return false;
    }
    const path = prefix + name;
    const stat = lookAt(path);
    if (stat === undefined) return true;
    if (isProblem(stat)) {
      this.#problems.push(stat);
      return true;
    }
    const after = new BigInt64Array(STAT_WIDTH);
    writeRow(after, 0, stat);
    this.#created.push({ path, after });
    if (fileTypeOf(stat.mode) === 'directory') this.#walkNew(path);
    return true;
  }

  #walkNew(top: BytePath): void {
    const open = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const prefix = joinBytes(folder, '');
      const before = this.#created.length;
      for (const name of this.#namesNow(folder) ?? []) this.#recordNew(folder, prefix, name);
      for (const { path, after } of this.#created.slice(before))
        if (isFolderMode(after[AT.mode] ?? -1n)) open.push(path);
    }
  }

  #recordNew(folder: BytePath, prefix: string, name: string): void {
    if (name === '.git' && !this.#isPlain(folder)) {
      this.#gitEntries.push(prefix + name);
      return;
    }
    const stat = lookAt(prefix + name);
    if (stat === undefined) return;
    if (isProblem(stat)) {
      this.#problems.push(stat);
      return;
    }
    const after = new BigInt64Array(STAT_WIDTH);
    writeRow(after, 0, stat);
    this.#created.push({ path: prefix + name, after });
  }

  /** Undefined, and a problem, where they can't be known. */
  #namesNow(folder: BytePath): readonly string[] | undefined {
    const names = readNames(folder);
    if (isProblem(names)) {
      if (/^(ENOENT|ENOTDIR)/.test(names.reason)) return [];
      this.#problems.push(names);
      return undefined;
    }
    const excluded = this.#excluded.get(folder);
    return excluded === undefined ? names : names.filter((name) => !excluded.has(name));
  }

  #isPlain(folder: BytePath): boolean {
    return this.#input.limits.plainRoots.some((root) => folder === root || folder.startsWith(joinBytes(root, '')));
  }
}
