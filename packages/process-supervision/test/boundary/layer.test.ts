import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LayerMeans, LayerOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askLayer, LayerFolder, layerFolderOf, removeLayer, testLayer } from '../../src/index.ts';
import { confined, tested } from '../support/confined.ts';
import { launchSupervisor } from '../support/launch.ts';
import { makeTestRun, type TestRun } from '../support/test-run.ts';

const PATH = process.env['PATH'] ?? '';

/** What a verifier's programs do: caches, build output, altered and removed files, folders made anew, ways out. */
const SCRIPT = [
  'cat node_modules/dep/index.js > "$OUT/dep"',
  'mkdir -p cache/a && echo x > cache/a/new',
  'echo edited >> src/a.txt',
  'rm package.json',
  'mv src/b.txt src/c.txt',
  'rm -rf conf && mkdir conf && echo y > conf/other',
  'echo h >> hard',
  'echo z 2>/dev/null >> old-link',
  'echo r > reports/last.txt',
  'echo g 2>/dev/null > .git/g',
  'chmod 700 locked && mkdir -m 0 shut',
  'ls -A . src conf > "$OUT/list"',
].join('; ');

const SEEN = [
  ...[
    '.:',
    '.git',
    '.gitignore',
    'cache',
    'conf',
    'hard',
    'locked',
    'node_modules',
    'old-link',
    'reports',
    'shut',
    'src',
  ],
  ...['', 'conf:', 'other', '', 'src:', 'a.txt', 'c.txt'],
];

describe.skipIf(tested.kind !== 'works')('a throw-away layer under bubblewrap', () => {
  describe.each<[string, (run: TestRun) => Promise<LayerMeans | undefined>]>([
    ['overlay', overlayMeans],
    ['copy', async () => ({ kind: 'copy' })],
  ])('(%s)', (_, meansIn) => {
    let run: TestRun;
    let job: SupervisedJob;
    let layer: LayerOrder | undefined;
    let before: string;

    beforeAll(async () => {
      run = await makeTestRun();
      makeTree(run);
      const means = await meansIn(run);
      if (means === undefined) return;
      layer = { worktree: run.path('work'), folder: layerFolderOf(run.path('private')), means };
      if (means.kind === 'copy') copyTree(layer);
      before = listingOf(run.path('work'));
      const places = { writable: [run.path('out'), run.path('work/reports')], readOnly: readOnlyIn(run, means) };
      job = await confined(run, SCRIPT, { ...places, layer, privateFolder: run.path('private') });
      await launchSupervisor(run.order([job])).ended;
    });
    afterAll(() => run.remove());

    it('WP-8 lets programs write what they like, and the tree never sees it', async (test) => {
      if (layer === undefined) test.skip('no overlay can be mounted here');
      expect(await run.sidecar(job)).toMatchObject({ stage: 'exited', exitCode: 0, endProof: 'namespace' });
      expect((await run.read('out/list'))?.trimEnd().split('\n')).toEqual(SEEN);
      expect(await run.read('out/dep')).toBe('dependency');
      expect(listingOf(run.path('work'))).toBe(before);
      expect(readFileSync(run.path('outside/hard'), 'utf8')).toBe('untouched');
      expect(readFileSync(run.path('outside/target'), 'utf8')).toBe('untouched');
    });

    it('WP-8 lets what the policy names last, and nothing of git be written', async (test) => {
      if (layer === undefined) test.skip('no overlay can be mounted here');
      expect(readFileSync(run.path('work/reports/last.txt'), 'utf8')).toBe('r\n');
      expect(readdirSync(run.path('work/.git'))).not.toContain('g');
    });

    it('keeps the layer for whoever settles, who can ask it and then throws all of it away', async (test) => {
      if (layer === undefined || tested.kind !== 'works') return test.skip('no overlay can be mounted here');
      expect(existsSync(run.path('private'))).toBe(false);
      if (layer.means.kind !== 'copy') {
        const asked = ['src/a.txt', 'src/b.txt', 'src/c.txt', 'conf/keep.txt', 'locked/file', 'old-link'];
        const there = await askLayer(
          tested.program,
          layer,
          asked.map((name) => run.path(`work/${name}`)),
        );
        expect(there).toEqual([true, false, true, false, true, true]);
      }
      await removeLayer(layer);
      expect(existsSync(layer.folder)).toBe(false);
      expect(listingOf(run.path('work'))).toBe(before);
    });
  });

  it('is told apart from one that can’t be had, with the reason', async () => {
    const run = await makeTestRun();
    try {
      const question = { program: '/nonexistent/bwrap', path: PATH, worktree: run.path('work') };
      const none = await testLayer({ ...question, attemptsFolder: run.path('attempts') });
      expect(none).toEqual({ kind: 'unavailable', reason: expect.stringContaining('/nonexistent/bwrap') });
      const nested = await testLayer({ ...question, worktree: '/dev', attemptsFolder: run.path('attempts') });
      expect(nested).toEqual({
        kind: 'unavailable',
        reason: expect.stringContaining('is a file system of its own'),
      });
      expect(readdirSync(run.path('work'))).toEqual([]);
      expect(readdirSync(run.path('attempts'))).toEqual([]);
    } finally {
      await run.remove();
    }
  });
});

async function overlayMeans(run: TestRun): Promise<LayerMeans | undefined> {
  if (tested.kind !== 'works') return undefined;
  const { program } = tested;
  const test = await testLayer({
    program,
    path: PATH,
    worktree: run.path('work'),
    attemptsFolder: run.path('attempts'),
  });
  return test.kind === 'overlay' ? test.means : undefined;
}

function makeTree(run: TestRun): void {
  for (const folder of [
    'work/src',
    'work/conf',
    'work/locked',
    'work/reports',
    'work/node_modules/dep',
    'outside',
    'home',
  ])
    mkdirSync(run.path(folder), { recursive: true });
  const files = ['package.json', 'src/a.txt', 'src/b.txt', 'conf/keep.txt', 'locked/file'].map(
    (name) => `work/${name}`,
  );
  for (const file of [...files, 'outside/target', 'outside/hard']) writeFileSync(run.path(file), 'untouched');
  writeFileSync(run.path('work/node_modules/dep/index.js'), 'dependency');
  writeFileSync(run.path('work/.gitignore'), 'node_modules/\n');
  linkSync(run.path('outside/hard'), run.path('work/hard'));
  symlinkSync(run.path('outside/target'), run.path('work/old-link'));
  execFileSync('git', ['init', '--quiet'], { cwd: run.path('work') });
}

/** As whoever makes an order makes it: without what is bound into it. */
function copyTree({ worktree, folder }: LayerOrder): void {
  const bound = ['.git', 'node_modules', 'reports'].map((name) => join(worktree, name));
  cpSync(worktree, join(folder, LayerFolder.copy), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !bound.includes(path),
  });
}

function readOnlyIn(run: TestRun, { kind }: LayerMeans): readonly string[] {
  return [run.path('work/.git'), ...(kind === 'copy' ? [run.path('work/node_modules')] : [])];
}

/** Every entry of the tree with its signature and content, but for what is meant to last. */
function listingOf(worktree: string): string {
  const find = ['.', '-not', '-path', './reports*', '-printf', '%p %y %m %n %s %T@ %C@ %l\n'];
  const listed = execFileSync('find', find, { cwd: worktree, encoding: 'utf8' });
  return listed.split('\n').sort().join('\n');
}
