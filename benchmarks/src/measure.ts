/** One measured claim. `holds` says whether the ratio is within its bar. */
export interface BenchmarkRow {
  readonly name: string;
  readonly work: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB';
  readonly floor: number;
  readonly floorName: string;
  readonly ratio: number;
  /** Where given, the bar is on this difference to the floor, in `unit`. */
  readonly added?: number;
  /** What the bar is on, where it is neither the difference nor the ratio: the value itself. */
  readonly barOn?: 'value';
  readonly bar: number | null;
  readonly holds: boolean;
  /** Told beside it, and part of `value`: one start of a supervisor. */
  readonly supervisorStartMs?: number;
  /** Told beside it: what of `value` came after the end itself was durable, at the same percentile. */
  readonly sinceEndDurableMs?: number;
  /** Told beside it. */
  readonly perAttempt?: CallCounts;
}

/** What an attempt costs besides time. */
export interface CallCounts {
  readonly processStarts: number;
  /** Renames and links: a file that takes its name. */
  readonly replaces: number;
  /** Of files and folders. */
  readonly flushes: number;
}

export interface Benchmark {
  readonly name: string;
  readonly work: string;
  readonly floorName: string;
  /** Null beside a peer that promises other things: the ratio is told and judged by nobody. */
  readonly bar: number | null;
  /** How often both sides are measured; default `ROUNDS`. One round before them doesn't count. */
  readonly rounds?: number;
  /** Sets up, hands the two sides to `use`, and cleans up. */
  run(use: (sides: Sides) => Promise<BenchmarkRow>): Promise<BenchmarkRow>;
}

/** What is measured and what it is measured against; each call is one round. */
export interface Sides {
  readonly ours: () => Promise<unknown>;
  readonly floor: () => Promise<unknown>;
}

const ROUNDS = Number(process.env['BAILIWICK_BENCH_ROUNDS'] ?? 9);

/** Ours and the floor in turn, after one round of each that doesn't count; medians of both. */
export async function measure(benchmark: Benchmark): Promise<BenchmarkRow> {
  return benchmark.run(async ({ ours, floor }) => {
    const taken: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
    for (let round = -1; round < (benchmark.rounds ?? ROUNDS); round += 1) {
      const oursMs = await timed(ours);
      const floorMs = await timed(floor);
      if (round < 0) continue;
      taken.ours.push(oursMs);
      taken.floor.push(floorMs);
    }
    return rowOf(benchmark, median(taken.ours), median(taken.floor));
  });
}

function rowOf(benchmark: Benchmark, value: number, floor: number): BenchmarkRow {
  return ratioRow(benchmark, { value, floor, unit: 'ms' });
}

/** A row whose bar is on the ratio. */
export function ratioRow(
  { name, work, floorName, bar }: Benchmark,
  { value, floor, unit }: Pick<BenchmarkRow, 'value' | 'floor' | 'unit'>,
): BenchmarkRow {
  const ratio = value / floor;
  return {
    name,
    work,
    value: rounded(value),
    unit,
    floor: rounded(floor),
    floorName,
    ratio: rounded(ratio),
    bar,
    holds: bar === null || ratio <= bar,
  };
}

/** A row whose bar is on the value itself: what memory and patience there is doesn't grow with a peer's. */
export function valueRow(
  { name, work, floorName, bar }: Benchmark,
  { value, floor, unit }: Pick<BenchmarkRow, 'value' | 'floor' | 'unit'>,
): BenchmarkRow {
  const [shown, beside] = [rounded(value), rounded(floor)];
  const ratio = rounded(value / floor);
  return {
    name,
    work,
    value: shown,
    unit,
    floor: beside,
    floorName,
    ratio,
    barOn: 'value',
    bar,
    holds: value <= (bar ?? value),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of all values lies below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
