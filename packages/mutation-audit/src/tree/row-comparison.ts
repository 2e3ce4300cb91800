import type { BigIntStats } from 'node:fs';
import { HIGH, LOW, type PackedColumns, Signature } from './signature.ts';
import { AT, STAT_WIDTH, writeRow } from './stat-rows.ts';

/** What no change leaves as it was; links, owner and group move the change time. */
export const ALL_SIGNS = [AT.ctimeNs, AT.mtimeNs, AT.size, AT.ino, AT.mode, AT.dev] as const;
/** What tells whether names came or went in a folder. */
export const FOLDER_SIGNS = [AT.ctimeNs, AT.mtimeNs, AT.ino, AT.dev] as const;

/** Device numbers that are others now. */
export type MovedDevices = ReadonlyMap<bigint, bigint>;

/** One entry as it looks now beside rows of columns, word by word: a bigint per cell would cost half as much as the look itself. */
export class RowComparison {
  readonly #before: Signature;
  readonly #moved: MovedDevices;
  readonly #now = new BigInt64Array(STAT_WIDTH);
  readonly #words = new Uint32Array(this.#now.buffer);

  constructor(columns: PackedColumns, moved: MovedDevices = new Map()) {
    this.#before = new Signature(columns);
    this.#moved = moved;
  }

  /** Whether what was seen just now is what the row says, as far as the signs tell. */
  isSame(stat: BigIntStats, row: number, signs: readonly number[]): boolean {
    writeRow(this.#now, 0, stat);
    for (const column of signs) if (!this.isSameIn(column, row)) return false;
    return true;
  }

  /** Whether what was seen last has the row's value in one column. */
  isSameIn(column: number, row: number): boolean {
    this.#before.row = row;
    if (column === AT.dev && this.#moved.size > 0) return this.#isDevice(this.#before.cell(AT.dev));
    return this.#before.is(column, this.#words[2 * column + LOW] ?? 0, this.#words[2 * column + HIGH] ?? 0);
  }

  #isDevice(before: bigint): boolean {
    return (this.#moved.get(before) ?? before) === this.#now[AT.dev];
  }
}
