import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { findExecutable } from '../process/find-executable.ts';
import { bwrapArguments, ownIds } from './bwrap-arguments.ts';
import type { Mount } from './plan-mounts.ts';
import { type Ended, runBriefly } from './run-briefly.ts';

/** What this machine can put in force, as was tried, or why it can't. */
export type BoundaryTest =
  | {
      readonly kind: 'works';
      /** bubblewrap's program, absolute. */
      readonly program: string;
      /** A single file was told apart from its folder. */
      readonly precision: 'file';
      /** Whether an agent's own sandbox could start inside. */
      readonly nests: boolean;
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** By PATH: a command tests once, however many attempts it launches. */
const tests = new Map<string, Promise<BoundaryTest>>();

/**
 * Tries the boundary once per process: a write that must succeed and one that must not, both looked at from outside,
 * since what a process inside says of itself proves nothing (WP-5). Never throws.
 */
export function testBoundary(o: { readonly path: string }): Promise<BoundaryTest> {
  const known = tests.get(o.path);
  if (known !== undefined) return known;
  const test = tryBoundary(o.path).catch((error: unknown) => unavailable(messageOf(error)));
  tests.set(o.path, test);
  return test;
}

async function tryBoundary(path: string): Promise<BoundaryTest> {
  if (process.platform !== 'linux') return unavailable(`bubblewrap needs Linux, and this is ${process.platform}`);
  const program = await findExecutable('bwrap', path);
  if (program === undefined) return unavailable('bubblewrap (bwrap) is not on PATH');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-canary-')));
  try {
    return await tryIn(folder, program);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryIn(folder: string, program: string): Promise<BoundaryTest> {
  const [open, locked] = [join(folder, 'open'), join(folder, 'open', 'locked')];
  const outside = join(folder, 'outside');
  await mkdir(open);
  for (const file of [locked, outside]) await writeFile(file, 'untouched');
  const mounts: readonly Mount[] = [
    { kind: 'writable', path: open },
    { kind: 'read-only', path: locked },
  ];
  const inside = (script: string, ...args: readonly string[]): Promise<Ended> =>
    runBriefly([
      ...bwrapArguments({ program, mounts, extraBinds: [], hidden: [], ...ownIds() }),
      '/bin/sh',
      '-c',
      script,
      'sh',
      ...args,
    ]);
  const canary = await inside(
    'echo written > "$1/canary"; echo broken > "$2"; echo broken > "$3"',
    open,
    locked,
    outside,
  );
  const seen = await Promise.all(
    [join(open, 'canary'), locked, outside].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  if (seen[0] !== 'written\n') return unavailable(`bubblewrap can't be used here: ${canary.said}`);
  if (seen[1] !== 'untouched' || seen[2] !== 'untouched')
    return unavailable('bubblewrap started, and held no write back');
  return { kind: 'works', program, precision: 'file', nests: await canNest(program, inside) };
}

async function canNest(
  program: string,
  inside: (script: string, ...args: readonly string[]) => Promise<Ended>,
): Promise<boolean> {
  const script = 'exec "$1" --unshare-user --unshare-pid --ro-bind / / --dev /dev --proc /proc true';
  return (await inside(script, program)).exitCode === 0;
}

function unavailable(reason: string): BoundaryTest {
  return { kind: 'unavailable', reason: reason === '' ? 'bubblewrap gave no reason' : reason };
}
