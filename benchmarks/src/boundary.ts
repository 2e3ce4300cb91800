import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BwrapRequest,
  bwrapArguments,
  findNestedGit,
  LayerFolder,
  lookAtPaths,
  type MountRequest,
  pathsToLookAt,
  planMounts,
  testBoundary,
  testLayer,
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
  run: (use) => withFolder(async (folder) => startRow(START, use, await confinedArguments(folder))),
};

/** The same where the tree is seen through a throw-away layer. */
const START_IN_LAYER: Benchmark = {
  ...START,
  name: 'boundary-layer',
  work: 'a program in bubblewrap that sees this repository through a throw-away layer',
  bar: null,
  run: (use) => withFolder(async (folder) => startRow(START_IN_LAYER, use, await layeredArguments(folder))),
};

/** What of that is bubblewrap's own: the same namespaces, and the file system as one read-only mount. */
const BARE: Benchmark = {
  ...START,
  name: 'boundary-bare',
  work: 'a program in bubblewrap with nothing but its namespaces',
  bar: null,
  run: (use) => startRow(BARE, use, bareArguments()),
};

/** None where this machine has no boundary to measure. */
export const BOUNDARY: readonly Benchmark[] = tested.kind === 'works' ? [START, BARE, START_IN_LAYER] : [];

async function startRow(
  { bar }: Benchmark,
  use: Parameters<Benchmark['run']>[0],
  argv: readonly string[],
): Promise<BenchmarkRow> {
  const row = await use({ ours: () => ended([...argv, '/bin/true']), floor: () => ended(['/bin/true']) });
  const added = Math.round((row.value - row.floor) * 1000) / 1000;
  return { ...row, added, holds: bar === null || added <= bar };
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-bench-boundary-')));
  try {
    return await use(folder);
  } finally {
    // The kernel leaves a folder without any permission in an overlay's.
    await chmod(join(folder, LayerFolder.work, 'work'), 0o700).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

function bareArguments(): readonly string[] {
  if (tested.kind !== 'works') throw new Error(tested.reason);
  const namespaces = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'];
  return [tested.program, ...namespaces, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
}

async function confinedArguments(privateFolder: string): Promise<readonly string[]> {
  const root = await realpath(ROOT);
  return await argumentsFor({ writable: [root], readOnly: await lockedIn(root) }, privateFolder);
}

async function layeredArguments(folder: string): Promise<readonly string[]> {
  if (tested.kind !== 'works') throw new Error(tested.reason);
  const root = await realpath(ROOT);
  const path = process.env['PATH'] ?? '';
  const layer = await testLayer({ program: tested.program, path, worktree: root, attemptsFolder: folder });
  if (layer.kind !== 'overlay') throw new Error(layer.reason);
  for (const name of Object.values(LayerFolder)) await mkdir(join(folder, name));
  const order = { worktree: root, folder, means: layer.means };
  return await argumentsFor({ writable: [], readOnly: await lockedIn(root), layer: root }, folder, order);
}

async function lockedIn(root: string): Promise<readonly string[]> {
  return [...['.git', '.bailiwick'].map((name) => join(root, name)), ...(await findNestedGit(root))];
}

async function argumentsFor(
  request: MountRequest,
  privateFolder: string,
  layer?: NonNullable<BwrapRequest['layer']>,
): Promise<readonly string[]> {
  if (tested.kind !== 'works') throw new Error(tested.reason);
  const plan = planMounts(request, await lookAtPaths(pathsToLookAt(request)));
  if (plan.kind === 'refused') throw new Error(plan.reason);
  const extraBinds = [{ source: privateFolder, destination: privateFolder, isWritable: true }];
  const ids = { userId: process.getuid?.() ?? 0, groupId: process.getgid?.() ?? 0 };
  const given = { program: tested.program, mounts: plan.mounts, extraBinds, hidden: ['/run'], ...ids };
  return bwrapArguments(layer === undefined ? given : { ...given, layer });
}

async function ended([program = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: homedir(), stdio: 'ignore' });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${program} ended with ${String(exitCode)}`);
}
