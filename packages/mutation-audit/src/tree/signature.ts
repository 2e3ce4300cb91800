import { STAT_WIDTH } from './stat-rows.ts';

/**
 * Signatures of many entries, column by column: the smallest value of each column, and how far above it each row is, in as many units of
 * 16 bits as the largest needs (none where all are the same). Laid out so, with numbers of this machine's byte order:
 *
 * count (f64) · smallest values (i64 each) · units per row (u8 each) · padding · the columns, one after another.
 */
export type PackedColumns = Uint8Array;

/** Where each part of packed columns lies. */
export const PACKED = {
  bases: 8,
  units: 8 + STAT_WIDTH * 8,
  columns: Math.ceil((8 + STAT_WIDTH * 9) / 8) * 8,
} as const;

/** One row of packed columns, read in 32-bit words: looking at a hundred thousand of them makes no bigints. */
export class Signature {
  readonly count: number;
  readonly #bases: Uint32Array;
  readonly #units: Uint8Array;
  readonly #starts: readonly number[];
  readonly #cells: Uint16Array;
  #low = 0;
  #high = 0;
  row = 0;

  constructor({ buffer, byteOffset, byteLength }: PackedColumns) {
    this.count = new Float64Array(buffer, byteOffset, 1)[0] ?? 0;
    this.#bases = new Uint32Array(buffer, byteOffset + PACKED.bases, STAT_WIDTH * 2);
    this.#units = new Uint8Array(buffer, byteOffset + PACKED.units, STAT_WIDTH);
    this.#cells = new Uint16Array(buffer, byteOffset + PACKED.columns, (byteLength - PACKED.columns) / 2);
    this.#starts = columnStarts(this.#units, this.count);
  }

  /** The low 32 bits of a cell. */
  low(column: number): number {
    this.#read(column);
    return this.#low;
  }

  /** A cell as a double: exact to about a quarter of a microsecond for times. */
  about(column: number): number {
    this.#read(column);
    return (this.#high | 0) * TWO_32 + this.#low;
  }

  /** Whether a cell is this one of two words. */
  is(column: number, low: number, high: number): boolean {
    this.#read(column);
    return this.#low === low && this.#high === high;
  }

  cell(column: number): bigint {
    this.#read(column);
    return (BigInt(this.#high | 0) << 32n) | BigInt(this.#low);
  }

  #read(column: number): void {
    const units = this.#units[column] ?? 0;
    const at = (this.#starts[column] ?? 0) + this.row * units;
    const cells = this.#cells;
    let low = this.#bases[2 * column + LOW] ?? 0;
    let high = this.#bases[2 * column + HIGH] ?? 0;
    if (units > 0) low += cells[at] ?? 0;
    if (units > 1) low += (cells[at + 1] ?? 0) * TWO_16;
    if (units > 2) high += cells[at + 2] ?? 0;
    if (units > 3) high += (cells[at + 3] ?? 0) * TWO_16;
    if (low >= TWO_32) high += 1;
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }
}

/** Where each column begins, in units. */
export function columnStarts(units: Uint8Array, count: number): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const width of units) {
    starts.push(at);
    at += width * count;
  }
  starts.push(at);
  return starts;
}

/** The position of a 64-bit number's low and high word on this machine. */
export const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;
export const HIGH = 1 - LOW;
const TWO_16 = 0x1_0000;
const TWO_32 = 0x1_0000_0000;
