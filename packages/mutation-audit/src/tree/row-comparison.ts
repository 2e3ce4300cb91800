import type { BigIntStats } from 'node:fs';
import { AT, STAT_WIDTH, wordsOf, writeRow } from './stat-rows.ts';

/** What no change leaves as it was; links, owner and group move the change time. */
export const ALL_SIGNS = [AT.ctimeNs, AT.mtimeNs, AT.size, AT.ino, AT.mode, AT.dev] as const;
/** What tells whether names came or went in a folder. */
export const FOLDER_SIGNS = [AT.ctimeNs, AT.mtimeNs, AT.ino, AT.dev] as const;

/** One entry as it looks now beside rows of columns, word by word: a bigint per cell would cost half as much as the look itself. */
export class RowComparison {
  readonly #columns: Uint32Array;
  readonly #count: number;
  readonly #now = new BigInt64Array(STAT_WIDTH);
  readonly #nowWords = wordsOf(this.#now);

  constructor(columns: BigInt64Array, count: number) {
    this.#columns = wordsOf(columns);
    this.#count = count;
  }

  /** Whether what was seen just now is what the row says, as far as the signs tell. */
  isSame(stat: BigIntStats, row: number, signs: readonly number[]): boolean {
    writeRow(this.#now, 0, stat);
    for (const column of signs) if (!this.isSameIn(column, row)) return false;
    return true;
  }

  /** Whether what was seen last has the row's value in one column. */
  isSameIn(column: number, row: number): boolean {
    const at = (column * this.#count + row) * 2;
    return this.#columns[at] === this.#nowWords[2 * column] && this.#columns[at + 1] === this.#nowWords[2 * column + 1];
  }
}
