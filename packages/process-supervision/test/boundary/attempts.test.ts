import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoundaryOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNestedGit, type LayerTest, testBoundary, testLayer } from '../../src/index.ts';
import { launchSupervisor } from '../support/launch.ts';
import { makeTestRun, type TestRun } from '../support/test-run.ts';

const PROBE = fileURLToPath(new URL('../fixtures/boundary-probe.mjs', import.meta.url));
const tested = await testBoundary({ path: process.env['PATH'] ?? '' });
const layered = await testedLayer();
/** Forty attempts one after the other, some of them programs of their own. */
const SCENE_TIMEOUT_MS = 120_000;
const MARK = `bailiwick-probe-${process.pid}`;

/** Looks from outside at what an attempt would have left. */
type Look = (scene: string) => boolean;

const says =
  (...names: readonly string[]): Look =>
  (scene) =>
    readFileSync(join(scene, ...names), 'utf8') !== 'untouched';
const isThere =
  (...names: readonly string[]): Look =>
  (scene) =>
    existsSync(join(scene, ...names));
const isChanged =
  (...names: readonly string[]): Look =>
  (scene) => {
    const { mode, mtimeMs } = lstatSync(join(scene, ...names));
    return mode % 0o1000 !== 0o644 || mtimeMs < 1_000_000;
  };
const target = says('outside', 'target');
const locked = says('work', 'package.json');

/** `done`: must succeed. `held`: must leave nothing outside. `not held`: no boundary can stop it, the audit sees it. */
const CASES: readonly (readonly [string, string, 'done' | 'held' | 'not held', Look])[] = [
  ['B1', 'a file is made in a write root', 'done', isThere('work', 'src', 'new.txt')],
  ['B2', 'a file is edited in a write root', 'done', says('work', 'src', 'a.txt')],
  ['B3', 'a new file at the top of the write root', 'done', isThere('work', 'top.txt')],
  ['B4', 'a write in a locked folder', 'held', says('work', 'locked', 'file')],
  ['B5', 'a new file in a locked folder', 'held', isThere('work', 'locked', 'new')],
  ['B6', 'an edit of a locked file', 'held', locked],
  ['B7', 'a rename over a locked file', 'held', locked],
  ['B8', 'an unlink of a locked file', 'held', (scene) => !existsSync(join(scene, 'work', 'package.json'))],
  ['B9', 'a rename of the folder around a locked file', 'held', isThere('work', 'conf2')],
  [
    'B10',
    'the git configuration',
    'held',
    (scene) => readFileSync(join(scene, 'work', '.git', 'config'), 'utf8').includes('alias'),
  ],
  ['B11', 'a git hook', 'held', isThere('work', '.git', 'hooks', 'pre-commit')],
  ['B12', 'the index', 'held', (scene) => readFileSync(join(scene, 'work', '.git', 'index'), 'latin1') === 'broken'],
  ['B13', 'a ref', 'held', isThere('work', '.git', 'refs', 'heads', 'new')],
  ['B14', 'a rename of .git', 'held', isThere('work', '.git2')],
  ['B15', 'an absent denied file', 'not held', isThere('work', '.env')],
  ['B16', 'a write through an old symlink', 'held', target],
  ['B17', 'a write through a new symlink', 'held', target],
  ['B18', 'a write through an old hard link', 'not held', says('outside', 'hard')],
  ['B19', 'a new hard link to outside', 'held', target],
  ['B20', 'a new hard link to a locked file', 'held', locked],
  ['B21', "the user's HOME", 'held', isThere('home', '.bashrc')],
  ['B22', 'another folder', 'held', isThere('outside', 'new')],
  ['B23', '/tmp', 'held', () => existsSync(join('/tmp', MARK))],
  ['B24', '/var/tmp', 'held', () => existsSync(join('/var/tmp', MARK))],
  ['B25', '/dev/shm', 'held', () => existsSync(join('/dev/shm', MARK))],
  ['B26', 'the mode of a locked file', 'held', isChanged('work', 'package.json')],
  ['B27', 'the times of a locked file', 'held', isChanged('work', 'package.json')],
  ['B28', 'the mode of a file outside', 'held', isChanged('outside', 'target')],
  ['B29', 'the times of a file outside', 'held', isChanged('outside', 'target')],
  ['B30', 'an extended attribute outside', 'held', () => attempts['B30'] === 'done'],
  ['B31', 'a truncation outside', 'held', target],
  ['B32', '/proc/self/root', 'held', target],
  ['B33', '/proc/1/root', 'held', target],
  ['B34', 'a remount, in a user namespace and without', 'held', (scene) => target(scene) || locked(scene)],
  ['B35', 'a signal to a process outside', 'held', () => stranger.exitCode !== null || stranger.signalCode !== null],
  ['B36', 'an inherited descriptor', 'held', () => attempts['B36'] === 'done'],
  ['B37', 'a daemon behind a unix socket that is in reach', 'not held', isThere('outside', 'by-daemon')],
  ['B38', 'a hook of a nested repository', 'held', isThere('work', 'sub', '.git', 'hooks', 'post-checkout')],
  ['B39', 'the memory of a process outside', 'held', () => attempts['B39'] === 'done'],
  ['B40', "the orchestrator's state", 'held', isThere('records', 'made-up.json')],
  ['B41', "the supervisor's environment", 'held', () => attempts['B41'] === 'done'],
];

/** How an attempt ends that a boundary held; `done` where it went to a place of the worker's own. */
const REFUSALS = /^(?:done|EROFS|EXDEV|EACCES|EPERM|EBUSY|ESRCH|ENOENT|not seen|Command failed)/;

const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
let attempts: Readonly<Record<string, string>> = {};

afterAll(() => stranger.kill('SIGKILL'));

/** All attempts once, by a worker whose boundary is made for the scene. */
interface Tried {
  readonly run: TestRun;
  readonly job: SupervisedJob;
  remove(): Promise<void>;
}

describe.skipIf(tested.kind !== 'works')('under bubblewrap', () => {
  let tried: Tried;
  beforeAll(async () => {
    tried = await tryAll((scene) => ({ writable: [scene.path('work'), scene.path('out')] }));
  }, SCENE_TIMEOUT_MS);
  afterAll(() => tried.remove());

  it.each(CASES)('%s %s: %s', (id, _, wanted, happened) => {
    expect(happened(tried.run.folder)).toBe(wanted !== 'held');
    expect(attempts[id]).toMatch(wanted === 'held' ? REFUSALS : /^done$/);
  });

  it('WP-5 HOME and temporary folder are its own, and gone afterwards', async () => {
    const { run } = tried;
    expect(attempts).toMatchObject({ home: run.path('private/home'), tmp: run.path('private/tmp') });
    expect(existsSync(run.path('private'))).toBe(false);
  });

  it('leaves nothing of its own in the tree', () => {
    const made = ['.env', 'hard', 'new-link', 'over', 'src/a.txt', 'src/new.txt', 'sub/', 'top.txt'];
    expect(changedIn(tried.run.path('work'))).toEqual(made.sort());
  });

  it('the end is proven by the end of the namespace', async () => {
    const end = { stage: 'exited', exitCode: 0, endProof: 'namespace', leftProcesses: 0 };
    expect(await tried.run.sidecar(tried.job)).toMatchObject(end);
  });
});

describe.skipIf(layered.kind !== 'overlay')('with a throw-away layer under bubblewrap', () => {
  let tried: Tried;
  beforeAll(async () => {
    if (layered.kind !== 'overlay') throw new Error(layered.reason);
    const { means } = layered;
    tried = await tryAll((scene) => {
      const layer = { worktree: scene.path('work'), folder: scene.path('private.layer'), means };
      return { writable: [scene.path('out')], layer };
    });
  }, SCENE_TIMEOUT_MS);
  afterAll(() => tried.remove());

  it.each(CASES)(
    '%s %s: in a layer nothing of it lasts, save what a daemon outside does',
    (id, _, wanted, happened) => {
      expect(happened(tried.run.folder)).toBe(id === 'B37');
      expect(attempts[id]).toMatch(wanted === 'held' ? REFUSALS : /^done$/);
    },
  );

  it('leaves the tree as it was, and the end is proven', async () => {
    expect(changedIn(tried.run.path('work'))).toEqual(['sub/']);
    expect(await tried.run.sidecar(tried.job)).toMatchObject({ stage: 'exited', exitCode: 0, endProof: 'namespace' });
  });
});

async function tryAll(boundaryOf: (scene: TestRun) => Partial<BoundaryOrder>): Promise<Tried> {
  const run = await makeTestRun();
  makeScene(run.folder);
  const daemon = createServer((socket) => {
    writeFileSync(run.path('outside/by-daemon'), 'broken');
    socket.end();
  });
  await new Promise<void>((resolve) => daemon.listen(run.path('daemon.sock'), resolve));
  const job = await confinedJob(run, boundaryOf(run));
  await launchSupervisor(run.order([job]), { SUPERVISOR_SECRET: 'not for workers' }).ended;
  attempts = JSON.parse((await run.read('out/attempts.json')) ?? '{}');
  return {
    run,
    job,
    remove: async () => {
      daemon.close();
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) rmSync(join(folder, MARK), { force: true });
      await run.remove();
    },
  };
}

function changedIn(worktree: string): readonly string[] {
  const listed = execFileSync('git', ['status', '--porcelain', '--ignored', '-uall'], { cwd: worktree });
  const lines = listed.toString().trimEnd().split('\n');
  return lines.map((line) => line.slice(3)).sort();
}

function makeScene(scene: string): void {
  const at = (...names: readonly string[]): string => join(scene, ...names);
  for (const folder of ['work/src', 'work/locked', 'work/conf', 'outside', 'home'])
    mkdirSync(at(folder), { recursive: true });
  for (const file of [
    'work/src/a.txt',
    'work/locked/file',
    'work/package.json',
    'work/conf/keep.txt',
    'outside/target',
    'outside/hard',
  ])
    writeFileSync(at(file), 'untouched', { mode: 0o644 });
  linkSync(at('outside/hard'), at('work/hard'));
  symlinkSync(at('outside/target'), at('work/old-link'));
  const git = (...args: readonly string[]): unknown => execFileSync('git', args, { cwd: at('work'), stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'as it stands');
  git('init', '--quiet', 'sub');
}

async function confinedJob(scene: TestRun, changes: Partial<BoundaryOrder>): Promise<SupervisedJob> {
  if (tested.kind !== 'works') throw new Error(tested.reason);
  const path = (name: string): string => scene.path(name);
  const work = realpathSync(path('work'));
  const inWork = (name: string): string => join(work, name);
  const nested = await findNestedGit(work);
  const made = await scene.job([process.execPath, PROBE, scene.folder, String(stranger.pid), path('daemon.sock')]);
  return {
    ...made,
    env: { ...made.env, MARK, PROMPT: made.promptPath },
    boundary: {
      program: tested.program,
      writable: [],
      readOnly: [...['.git', 'locked', 'package.json', 'conf/keep.txt', '.env'].map(inWork), ...nested],
      hidden: [],
      privateFolder: path('private'),
      privateHome: { userHome: path('home'), logins: [] },
      ...changes,
    },
  };
}

/** Whether an overlay can lie over a folder where this file's scenes are made. */
async function testedLayer(): Promise<LayerTest> {
  if (tested.kind !== 'works') return tested;
  const { program } = tested;
  const run = await makeTestRun();
  try {
    const places = { worktree: run.path('work'), attemptsFolder: run.path('attempts') };
    return await testLayer({ program, path: process.env['PATH'] ?? '', ...places });
  } finally {
    await run.remove();
  }
}
