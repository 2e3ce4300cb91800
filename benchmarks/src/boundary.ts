import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bwrapArguments,
  findNestedGit,
  lookAtPaths,
  pathsToLookAt,
  planMounts,
  testBoundary,
} from '@bailiwick/process-supervision';
import type { Benchmark, BenchmarkRow } from './measure.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = 50;
const tested = await testBoundary({ path: process.env['PATH'] ?? '' });

/** What a boundary adds to a worker's start, at the mounts that this repository needs. The bar is on the difference. */
const START: Benchmark = {
  name: 'boundary',
  work: 'a program in bubblewrap, with the mounts that an implementer in this repository gets',
  floorName: 'the same program by a plain spawn',
  bar: 8,
  rounds: ROUNDS,
  run: async (use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-bench-boundary-')));
    try {
      const argv = await confinedArguments(folder);
      return addedRow(await use({ ours: () => ended([...argv, '/bin/true']), floor: () => ended(['/bin/true']) }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** None where this machine has no boundary to measure. */
export const BOUNDARY: readonly Benchmark[] = tested.kind === 'works' ? [START] : [];

async function confinedArguments(privateFolder: string): Promise<readonly string[]> {
  if (tested.kind !== 'works') throw new Error(tested.reason);
  const root = await realpath(ROOT);
  const own = ['.git', '.bailiwick'].map((name) => join(root, name));
  const request = { writable: [root], readOnly: [...own, ...(await findNestedGit(root))] };
  const plan = planMounts(request, await lookAtPaths(pathsToLookAt(request)));
  if (plan.kind === 'refused') throw new Error(plan.reason);
  const extraBinds = [{ source: privateFolder, destination: privateFolder, isWritable: true }];
  const ids = { userId: process.getuid?.() ?? 0, groupId: process.getgid?.() ?? 0 };
  return bwrapArguments({ program: tested.program, mounts: plan.mounts, extraBinds, hidden: ['/run'], ...ids });
}

async function ended([program = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: homedir(), stdio: 'ignore' });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${program} ended with ${String(exitCode)}`);
}

function addedRow(row: BenchmarkRow): BenchmarkRow {
  const added = Math.round((row.value - row.floor) * 1000) / 1000;
  return { ...row, added, holds: added <= (row.bar ?? 0) };
}
