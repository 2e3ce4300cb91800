import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareWithSnapshot, takeSnapshot } from '@bailiwick/mutation-audit';
import { execa } from 'execa';
import { type Benchmark, type BenchmarkRow, median, valueRow } from './measure.ts';
import { withTree } from './tree.ts';

const LARGE = 100_000;
const GROWN = 500_000;
const YOUNG = 10_000;
/** So few that the calling thread audits them itself. */
const SMALL = 500;
const ROUNDS = 5;
const PROGRAM = fileURLToPath(new URL('./audit-program.mjs', import.meta.url));

/** What a caller must have to spare for the audit of a large tree. */
const MEMORY: Benchmark = {
  name: 'audit-memory',
  work: `peak memory of a process that takes a snapshot of ${LARGE} files and compares it`,
  floorName: 'the same process without a tree',
  bar: 300,
  run: () => withTree(async (root) => auditRow(MEMORY, root, 'peakMb'), LARGE),
};

/** How long whoever shares the caller's event loop waits at most. */
const LOOP: Benchmark = {
  name: 'audit-loop',
  work: `longest standstill of the caller's event loop in a snapshot and a comparison of ${LARGE} files`,
  floorName: 'the same process without a tree',
  bar: 20,
  run: () => withTree(async (root) => auditRow(LOOP, root, 'longestMs'), LARGE),
};

/** The same where the caller's own thread does the work. */
const LOOP_OF_SMALL: Benchmark = {
  ...LOOP,
  name: 'audit-loop-small',
  work: `longest standstill of the caller's event loop in a snapshot and a comparison of ${SMALL} files`,
  run: () => withTree(async (root) => auditRow(LOOP_OF_SMALL, root, 'longestMs'), SMALL),
};

/** A tree must not cost more than its files do. */
const GROWTH: Benchmark = {
  name: 'audit-growth',
  work: `snapshot and comparison of ${GROWN} files, for each ${YOUNG} of them`,
  floorName: `the same of ${YOUNG} files`,
  bar: 1.2,
  rounds: 3,
  run: (use) =>
    withTree(
      (grown) =>
        withTree(async (young) => perFile(await use({ ours: () => audit(grown), floor: () => audit(young) })), YOUNG),
      GROWN,
    ),
};

export const AUDIT_LIMITS: readonly Benchmark[] = [MEMORY, LOOP, LOOP_OF_SMALL, GROWTH];

interface Seen {
  readonly peakMb: number;
  readonly longestMs: number;
}

/** Medians of runs with the tree and without, in turn, each in a process of its own. */
async function auditRow(benchmark: Benchmark, root: string, what: keyof Seen): Promise<BenchmarkRow> {
  const taken: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.ours.push((await seen(root, join(root, '..', 'limits.snap')))[what]);
    taken.floor.push((await seen())[what]);
  }
  const unit = what === 'peakMb' ? 'MB' : 'ms';
  return valueRow(benchmark, { value: median(taken.ours), floor: median(taken.floor), unit });
}

async function seen(...args: readonly string[]): Promise<Seen> {
  return JSON.parse((await execa(process.execPath, ['--expose-gc', PROGRAM, ...args])).stdout);
}

async function audit(root: string): Promise<void> {
  const snapshotPath = join(root, '..', 'growth.snap');
  await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
  await compareWithSnapshot({ snapshotPath });
  await rm(snapshotPath);
}

function perFile(row: BenchmarkRow): BenchmarkRow {
  const times = GROWN / YOUNG;
  const ratio = row.ratio / times;
  return { ...row, value: row.value / times, ratio, holds: ratio <= (row.bar ?? ratio) };
}
