import type { BigIntStats } from 'node:fs';
import type { FileType } from '../model.ts';

/** The columns of an entry's signature, in stored order (wire-formats "Snapshot"). */
export const STAT_FIELDS = ['dev', 'ino', 'mode', 'nlink', 'size', 'mtimeNs', 'ctimeNs', 'uid', 'gid'] as const;
export const STAT_WIDTH = STAT_FIELDS.length;

/** Position of each column in a row. */
export const AT = { dev: 0, ino: 1, mode: 2, nlink: 3, size: 4, mtimeNs: 5, ctimeNs: 6, uid: 7, gid: 8 } as const;

/** Signatures in columns: column `c` of row `r` is `cells[c * capacity + r]`. */
export interface StatColumns {
  readonly cells: BigInt64Array<ArrayBuffer>;
  readonly capacity: number;
  readonly count: number;
}

/** Signatures, row by row, in columns that grow. An entry that could not be looked at is a row of -1. */
export class StatRows {
  #cells: BigInt64Array<ArrayBuffer>;
  #capacity: number;
  #count = 0;

  constructor(capacity = 256) {
    this.#capacity = capacity;
    this.#cells = new BigInt64Array(capacity * STAT_WIDTH);
  }

  push(stat: BigIntStats | undefined): void {
    if (this.#count === this.#capacity) this.#grow();
    const cells = this.#cells;
    const capacity = this.#capacity;
    const at = this.#count;
    this.#count += 1;
    if (stat === undefined) {
      for (let cell = at; cell < cells.length; cell += capacity) cells[cell] = -1n;
      return;
    }
    cells[at] = stat.dev;
    cells[capacity + at] = stat.ino;
    cells[capacity * AT.mode + at] = stat.mode;
    cells[capacity * AT.nlink + at] = stat.nlink;
    cells[capacity * AT.size + at] = stat.size;
    cells[capacity * AT.mtimeNs + at] = stat.mtimeNs;
    cells[capacity * AT.ctimeNs + at] = stat.ctimeNs;
    cells[capacity * AT.uid + at] = stat.uid;
    cells[capacity * AT.gid + at] = stat.gid;
  }

  /** What was pushed; the columns are given away, not copied. */
  take(): StatColumns {
    return { cells: this.#cells, capacity: this.#capacity, count: this.#count };
  }

  #grow(): void {
    const capacity = this.#capacity * 4;
    const cells = new BigInt64Array(capacity * STAT_WIDTH);
    for (let column = 0; column < STAT_WIDTH; column += 1) {
      cells.set(
        this.#cells.subarray(column * this.#capacity, column * this.#capacity + this.#count),
        column * capacity,
      );
    }
    this.#cells = cells;
    this.#capacity = capacity;
  }
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

/** One row of columns, looked at through 32-bit words: comparing a hundred thousand of them makes no bigints. */
export class Signature {
  readonly #words: Uint32Array;
  readonly #count: number;
  row = 0;

  constructor(columns: BigInt64Array, count: number) {
    this.#words = new Uint32Array(columns.buffer, columns.byteOffset, columns.length * 2);
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
