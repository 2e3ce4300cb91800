import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerMeans, LayerOrder } from '@bailiwick/dispatch-state';
import { messageOf } from '../errors.ts';
import { findExecutable } from '../process/find-executable.ts';
import { bwrapArguments, ownIds } from './bwrap-arguments.ts';
import { LayerFolder } from './layer-mounts.ts';
import { makeLayerFolders } from './layer-places.ts';
import { removeStubbornly } from './remove-stubbornly.ts';
import { runBriefly } from './run-briefly.ts';

/** Whether an overlay can lie over a work tree here, as was tried, or why not. */
export type LayerTest =
  | { readonly kind: 'overlay'; readonly means: LayerMeans }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface LayerQuestion {
  /** bubblewrap's program, which passed its own test. */
  readonly program: string;
  /** Where `unshare` and `mount` are looked for. */
  readonly path: string;
  readonly worktree: string;
  /** Where the layers of attempts will lie; what file system that is decides too. */
  readonly attemptsFolder: string;
}

/** By question: a command asks once for each work tree, however many attempts it launches. */
const tests = new Map<string, Promise<LayerTest>>();

/**
 * Tries whether a layer over this work tree takes a write that the tree itself never sees, looked at from outside.
 * bubblewrap makes overlays itself from its version 0.11 on; before, `mount` makes them in a user namespace around it.
 * Never throws.
 */
export function testLayer(question: LayerQuestion): Promise<LayerTest> {
  const { program, path, worktree, attemptsFolder } = question;
  const key = [program, path, worktree, attemptsFolder].join('\0');
  const known = tests.get(key);
  if (known !== undefined) return known;
  const test = tryMeans(question).catch((error: unknown) => unavailable(messageOf(error)));
  tests.set(key, test);
  return test;
}

async function tryMeans(question: LayerQuestion): Promise<LayerTest> {
  const inside = await mountsIn(question.worktree);
  if (inside[0] !== undefined) return unavailable(`${inside[0]} is a file system of its own, which an overlay hides`);
  const failures: string[] = [];
  for (const means of await meansOf(question.path)) {
    const failure = await tryOverlay(question, means);
    if (failure === undefined) return { kind: 'overlay', means };
    failures.push(`${means.kind}: ${failure}`);
  }
  return unavailable(`no overlay could be mounted (${failures.join('; ')})`);
}

async function meansOf(path: string): Promise<readonly LayerMeans[]> {
  const [unshare, mount] = await Promise.all(['unshare', 'mount'].map((name) => findExecutable(name, path)));
  const mounting = unshare === undefined || mount === undefined ? [] : [{ kind: 'mount', unshare, mount } as const];
  return [{ kind: 'bubblewrap' }, ...mounting];
}

/** Undefined where it worked. */
async function tryOverlay(question: LayerQuestion, means: LayerMeans): Promise<string | undefined> {
  const { program, worktree, attemptsFolder } = question;
  await mkdir(attemptsFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(attemptsFolder, 'layer-test-'));
  const canary = `.${folder.slice(folder.lastIndexOf('/') + 1)}`;
  try {
    const layer: LayerOrder = { worktree, folder, means };
    await makeLayerFolders(layer);
    const script = '{ test -e "$1/$2" || test -L "$1/$2"; } && echo written > "$1/$3"';
    const [entry = '.'] = await readdir(worktree);
    const ended = await runBriefly([
      ...inLayer(program, layer),
      '/bin/sh',
      '-c',
      script,
      'sh',
      worktree,
      entry,
      canary,
    ]);
    const written = await readFile(join(folder, LayerFolder.upper, canary), 'utf8').catch(() => '');
    if (written !== 'written\n') return ended.said === '' ? 'it took no write' : ended.said;
    return (await isThere(join(worktree, canary))) ? 'what was written reached the tree' : undefined;
  } finally {
    await rm(join(worktree, canary), { force: true });
    await removeStubbornly(folder);
  }
}

/** bubblewrap around a layer and nothing else that could be written. */
export function inLayer(program: string, layer: LayerOrder): readonly string[] {
  const mounts = [{ kind: 'layer', path: layer.worktree }] as const;
  return bwrapArguments({ program, mounts, extraBinds: [], hidden: [], layer, ...ownIds() });
}

/** Where other file systems are mounted below a folder. Octal escapes stand for blanks (proc_pid_mountinfo(5)). */
async function mountsIn(folder: string): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const places = text.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''));
  return places.filter((place) => place.startsWith(`${folder}/`));
}

function unescaped(place: string): string {
  return place.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function unavailable(reason: string): LayerTest {
  return { kind: 'unavailable', reason };
}
