import type { BigIntStats } from 'node:fs';
import type { FileType } from '../model.ts';
import type { KeptMemory } from './kept-memory.ts';

/** The columns of an entry's signature, in stored order (wire-formats "Snapshot"). */
export const STAT_FIELDS = ['dev', 'ino', 'mode', 'nlink', 'size', 'mtimeNs', 'ctimeNs', 'uid', 'gid'] as const;
export const STAT_WIDTH = STAT_FIELDS.length;

/** Position of each column in a row. */
export const AT = { dev: 0, ino: 1, mode: 2, nlink: 3, size: 4, mtimeNs: 5, ctimeNs: 6, uid: 7, gid: 8 } as const;

/** Signatures row by row: row `r` lies in `chunks[r >> CHUNK_BITS]`, STAT_WIDTH cells each. */
export interface StatChunks {
  readonly chunks: readonly BigInt64Array[];
  readonly count: number;
}

const CHUNK_BITS = 10;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const CHUNK_CELLS = CHUNK_ROWS * STAT_WIDTH;

/** Takes signatures in, one after another. An entry that could not be looked at is a row of -1. */
export class StatRows {
  readonly #memory: KeptMemory;
  readonly #chunks: BigInt64Array[] = [];
  #chunk: BigInt64Array = new BigInt64Array(0);
  #at = 0;
  #count = 0;

  constructor(memory: KeptMemory) {
    this.#memory = memory;
  }

  push(stat: BigIntStats | undefined): void {
    if (this.#at === this.#chunk.length) this.#addChunk();
    if (stat === undefined) this.#chunk.fill(-1n, this.#at, this.#at + STAT_WIDTH);
    else writeRow(this.#chunk, this.#at, stat);
    this.#at += STAT_WIDTH;
    this.#count += 1;
  }

  /** What was pushed; it stays where it is. */
  take(): StatChunks {
    return { chunks: this.#chunks, count: this.#count };
  }

  #addChunk(): void {
    this.#chunk = new BigInt64Array(this.#memory.take(CHUNK_CELLS * 8), 0, CHUNK_CELLS);
    this.#chunks.push(this.#chunk);
    this.#at = 0;
  }
}

/** Copies `count` rows from row `from` on into columns of `to.count` cells, to row `to.row`. */
export function copyToColumns(
  columns: BigInt64Array,
  to: { readonly count: number; readonly row: number },
  rows: { readonly of: StatChunks; readonly from: number; readonly count: number },
): void {
  const target = wordsOf(columns);
  for (let done = 0; done < rows.count; ) {
    const from = rows.from + done;
    const source = wordsOf(rows.of.chunks[from >> CHUNK_BITS] ?? new BigInt64Array(0));
    const first = from & (CHUNK_ROWS - 1);
    const count = Math.min(rows.count - done, CHUNK_ROWS - first);
    for (let column = 0; column < STAT_WIDTH; column += 1) {
      let read = (first * STAT_WIDTH + column) * 2;
      let write = (column * to.count + to.row + done) * 2;
      for (let at = 0; at < count; at += 1) {
        target[write] = source[read] ?? 0;
        target[write + 1] = source[read + 1] ?? 0;
        read += 2 * STAT_WIDTH;
        write += 2;
      }
    }
    done += count;
  }
}

/** The same memory in 32-bit words: reading them makes no bigints. */
export function wordsOf(cells: BigInt64Array): Uint32Array {
  return new Uint32Array(cells.buffer, cells.byteOffset, cells.length * 2);
}

/** Writes one signature into `cells` from `at` on. */
export function writeRow(cells: BigInt64Array, at: number, stat: BigIntStats): void {
  cells[at] = stat.dev;
  cells[at + 1] = stat.ino;
  cells[at + 2] = stat.mode;
  cells[at + 3] = stat.nlink;
  cells[at + 4] = stat.size;
  cells[at + 5] = stat.mtimeNs;
  cells[at + 6] = stat.ctimeNs;
  cells[at + 7] = stat.uid;
  cells[at + 8] = stat.gid;
}

const TYPE_MASK = 0o170000;
const FILE_TYPES: ReadonlyMap<number, FileType> = new Map([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'symlink'],
  [0o010000, 'fifo'],
  [0o140000, 'socket'],
]);

/** The kind of file that a mode says. */
export function fileTypeOf(mode: bigint): FileType {
  return FILE_TYPES.get(Number(mode) & TYPE_MASK) ?? 'device';
}

/** Whether a mode says folder; -1 (not looked at) does not. */
export function isFolderMode(mode: bigint): boolean {
  return mode >= 0n && (Number(mode) & TYPE_MASK) === 0o040000;
}

/** The same of the low 32 bits of a row that was looked at. */
export function isFolderType(mode: number): boolean {
  return (mode & TYPE_MASK) === 0o040000;
}

/** One row of columns, looked at through 32-bit words: comparing a hundred thousand of them makes no bigints. */
export class Signature {
  readonly #words: Uint32Array;
  readonly #count: number;
  row = 0;

  constructor(columns: BigInt64Array, count: number) {
    this.#words = wordsOf(columns);
    this.#count = count;
  }

  /** The low 32 bits of a cell. */
  low(column: number): number {
    return this.#words[(column * this.#count + this.row) * 2 + LOW] ?? 0;
  }

  /** A cell as a double: exact to about a quarter of a microsecond for times. */
  about(column: number): number {
    const at = (column * this.#count + this.row) * 2;
    return ((this.#words[at + HIGH] ?? 0) | 0) * 4_294_967_296 + (this.#words[at + LOW] ?? 0);
  }
}

const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;
