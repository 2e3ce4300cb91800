import type { KeptMemory } from './kept-memory.ts';
import { columnStarts, HIGH, LOW, PACKED, type PackedColumns } from './signature.ts';
import { CHUNK_ROWS, STAT_WIDTH, type StatChunks } from './stat-rows.ts';

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
  for (let column = 0; column < STAT_WIDTH; column += 1) {
    const [width = 0, at = 0] = [units[column], starts[column]];
    if (width > 0) writeColumn(cells, at, { ranges, column, width, smallest: smallest[column] ?? 0n });
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
  for (let column = 0; column < STAT_WIDTH; column += 1) {
    const { least, most } = extremes(ranges, column);
    smallest[column] = least;
    units[column] = Math.ceil((most - least).toString(2).length / 16);
    if (most === least) units[column] = 0;
  }
  return { smallest, units };
}

function extremes(ranges: readonly RowRange[], column: number): { least: bigint; most: bigint } {
  let [leastHigh, leastLow, mostHigh, mostLow] = [0x7fffffff, 0xffffffff, -0x80000000, 0];
  for (const { words, from, count } of stretches(ranges)) {
    let at = (from * STAT_WIDTH + column) * 2;
    for (let row = 0; row < count; row += 1, at += 2 * STAT_WIDTH) {
      const high = (words[at + HIGH] ?? 0) | 0;
      const low = words[at + LOW] ?? 0;
      if (high < leastHigh || (high === leastHigh && low < leastLow)) [leastHigh, leastLow] = [high, low];
      if (high > mostHigh || (high === mostHigh && low > mostLow)) [mostHigh, mostLow] = [high, low];
    }
  }
  return { least: bigintOf(leastHigh, leastLow), most: bigintOf(mostHigh, mostLow) };
}

function writeColumn(
  cells: Uint16Array,
  start: number,
  { ranges, column, width, smallest }: { ranges: readonly RowRange[]; column: number; width: number; smallest: bigint },
): void {
  const baseLow = Number(BigInt.asUintN(32, smallest));
  const baseHigh = Number(BigInt.asIntN(32, smallest >> 32n));
  let write = start;
  for (const { words, from, count } of stretches(ranges)) {
    let at = (from * STAT_WIDTH + column) * 2;
    for (let row = 0; row < count; row += 1, at += 2 * STAT_WIDTH) {
      const low = (words[at + LOW] ?? 0) - baseLow;
      const high = ((words[at + HIGH] ?? 0) | 0) - baseHigh - (low < 0 ? 1 : 0);
      cells[write] = low;
      if (width > 1) cells[write + 1] = low >>> 16;
      if (width > 2) cells[write + 2] = high;
      if (width > 3) cells[write + 3] = high >>> 16;
      write += width;
    }
  }
}

/** The ranges, cut where a chunk ends. */
function* stretches(ranges: readonly RowRange[]): Generator<{ words: Uint32Array; from: number; count: number }> {
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
