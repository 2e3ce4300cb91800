import type { KeptMemory } from './kept-memory.ts';
import { columnStarts, HIGH, LOW, PACKED, type PackedColumns } from './signature.ts';
import { CHUNK_ROWS, STAT_FIELDS, STAT_WIDTH, type StatChunks } from './stat-rows.ts';

/** Rows that follow one another. */
export interface RowRange {
  readonly rows: StatChunks;
  readonly start: number;
  readonly count: number;
}

/** Packs the rows of all ranges, in order, into columns in `memory`. */
export function packRows(ranges: readonly RowRange[], memory: KeptMemory): PackedColumns {
  const count = ranges.reduce((sum, range) => sum + range.count, 0);
  const { smallest, units } = measure(ranges, count);
  const starts = columnStarts(units, count);
  const bytes = PACKED.columns + 2 * (starts[STAT_WIDTH] ?? 0);
  const packed = new Uint8Array(memory.take(bytes), 0, bytes);
  new Float64Array(packed.buffer, 0, 1)[0] = count;
  new BigInt64Array(packed.buffer, PACKED.bases, STAT_WIDTH).set(smallest);
  packed.fill(0, PACKED.units, PACKED.columns);
  packed.set(units, PACKED.units);
  const cells = new Uint16Array(packed.buffer, PACKED.columns, starts[STAT_WIDTH]);
  for (const stretch of stretches(ranges)) {
    for (const [column, width] of units.entries()) {
      const at = starts[column] ?? 0;
      if (width > 0)
        starts[column] = writeCells(cells, at, { stretch, column, width, smallest: smallest[column] ?? 0n });
    }
  }
  return packed;
}

/** The smallest value of each column, and how many units of 16 bits the largest needs above it. */
function measure(
  ranges: readonly RowRange[],
  count: number,
): { readonly smallest: BigInt64Array; readonly units: Uint8Array } {
  const smallest = new BigInt64Array(STAT_WIDTH);
  const units = new Uint8Array(STAT_WIDTH);
  if (count === 0) return { smallest, units };
  const extremes = STAT_FIELDS.map(() => new Extremes());
  // Column by column within a stretch, which stays in the cache for all of them.
  for (const stretch of stretches(ranges)) for (const [column, own] of extremes.entries()) own.take(stretch, column);
  for (const [column, { least, most }] of extremes.entries()) {
    smallest[column] = least;
    units[column] = most === least ? 0 : Math.ceil((most - least).toString(2).length / 16);
  }
  return { smallest, units };
}

class Extremes {
  #leastHigh = 0x7fffffff;
  #leastLow = 0xffffffff;
  #mostHigh = -0x80000000;
  #mostLow = 0;

  take({ words, from, count }: Stretch, column: number): void {
    let at = (from * STAT_WIDTH + column) * 2;
    for (let row = 0; row < count; row += 1, at += 2 * STAT_WIDTH) {
      const high = (words[at + HIGH] ?? 0) | 0;
      const low = words[at + LOW] ?? 0;
      if (high < this.#leastHigh || (high === this.#leastHigh && low < this.#leastLow)) {
        this.#leastHigh = high;
        this.#leastLow = low;
      }
      if (high > this.#mostHigh || (high === this.#mostHigh && low > this.#mostLow)) {
        this.#mostHigh = high;
        this.#mostLow = low;
      }
    }
  }

  get least(): bigint {
    return bigintOf(this.#leastHigh, this.#leastLow);
  }

  get most(): bigint {
    return bigintOf(this.#mostHigh, this.#mostLow);
  }
}

interface Stretch {
  readonly words: Uint32Array;
  readonly from: number;
  readonly count: number;
}

/** Returns where the next cell of the column goes. */
function writeCells(
  cells: Uint16Array,
  start: number,
  o: { stretch: Stretch; column: number; width: number; smallest: bigint },
): number {
  const { words, from, count } = o.stretch;
  const baseLow = Number(BigInt.asUintN(32, o.smallest));
  const baseHigh = Number(BigInt.asIntN(32, o.smallest >> 32n));
  let write = start;
  let at = (from * STAT_WIDTH + o.column) * 2;
  for (let row = 0; row < count; row += 1, at += 2 * STAT_WIDTH) {
    const low = (words[at + LOW] ?? 0) - baseLow;
    const high = ((words[at + HIGH] ?? 0) | 0) - baseHigh - (low < 0 ? 1 : 0);
    cells[write] = low;
    if (o.width > 1) cells[write + 1] = low >>> 16;
    if (o.width > 2) cells[write + 2] = high;
    if (o.width > 3) cells[write + 3] = high >>> 16;
    write += o.width;
  }
  return write;
}

/** The ranges, cut where a chunk ends. */
function* stretches(ranges: readonly RowRange[]): Generator<Stretch> {
  for (const { rows, start, count } of ranges) {
    for (let done = 0; done < count; ) {
      const at = start + done;
      const from = at % CHUNK_ROWS;
      const words = rows.chunks[Math.floor(at / CHUNK_ROWS)];
      const taken = Math.min(count - done, CHUNK_ROWS - from);
      if (words !== undefined) yield { words, from, count: taken };
      done += taken;
    }
  }
}

function bigintOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
