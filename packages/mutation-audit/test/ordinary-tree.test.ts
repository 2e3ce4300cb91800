import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JobContract, judgeAttempt, type MutationAudit } from '../src/index.ts';
import { observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';
import { CONFINED, input, job, verifier } from './support/judge-input.ts';

const IGNORED = ['build/', 'node_modules/', '.cache/', 'coverage/', '__pycache__/', '*.log', '*.swp', '.next/', 'tmp/'];

/** What goes on in a tree while workers work in it, and is nobody's fault. */
const ORDINARY: Readonly<Record<string, (tree: string) => void | Promise<void>>> = {
  'test caches': (tree) => {
    write(tree, 'node_modules/.cache/runner/results.json', '{}');
    write(tree, 'src/__pycache__/a.cpython-311.pyc', 'bytes');
    write(tree, 'coverage/index.html', '<html>');
    rmSync(join(tree, '.cache'), { recursive: true });
    write(tree, '.cache/again/x', 'x');
  },
  'build output': (tree) => {
    rmSync(join(tree, 'build'), { recursive: true });
    for (let at = 0; at < 200; at += 1) write(tree, `build/assets/${at}.js`, String(at));
    symlinkSync('assets', join(tree, 'build/latest'));
  },
  'an install': (tree) => {
    write(tree, 'node_modules/dep/package.json', '{"version":"2.0.0"}');
    git(join(tree, 'node_modules/dep'), 'init', '-q');
    write(tree, 'node_modules/dep/.github/workflows/ci.yml', 'on: push');
    write(tree, 'node_modules/dep/.env', 'KEY=1');
  },
  'an editor saving without a change': (tree) => {
    const path = join(tree, 'src/b.ts');
    write(tree, 'src/.b.ts.swp', 'swap');
    writeFileSync(join(tree, 'src/4913'), '');
    unlinkSync(join(tree, 'src/4913'));
    writeFileSync(`${path}~`, readFileSync(path));
    renameSync(`${path}~`, path);
  },
  'an IDE fetching and looking': (tree) => {
    git(tree, 'fetch', '-q', 'origin');
    utimesSync(join(tree, 'src/b.ts'), 1_000, 1_000);
    git(tree, 'status', '--porcelain');
  },
  'git gc': (tree) => {
    git(tree, 'gc', '-q', '--prune=now');
    git(tree, 'pack-refs', '--all');
  },
  'a dev server': async (tree) => {
    const script = `
      const fs = require('node:fs');
      fs.mkdirSync('.next/cache', { recursive: true });
      for (let at = 0; at < 50; at += 1) fs.appendFileSync('server.log', 'GET /\\n'), fs.writeFileSync('.next/cache/' + at, 'x');
      const server = require('node:net').createServer().listen('tmp/server.sock', () => server.close(() => fs.writeFileSync('tmp/server.pid', '1')));
    `;
    const [code] = await once(spawn(process.execPath, ['-e', script], { cwd: tree, stdio: 'inherit' }), 'exit');
    expect(code).toBe(0);
  },
};

describe('an ordinary tree stays quiet', () => {
  it.each(Object.entries(ORDINARY))('WP-10 MA-14 %s charges nobody', async (_, happens) => {
    const tree = ordinaryTree();
    expectGood(tree, await audits(tree, () => happens(tree)));
  });

  it('WP-10 MA-14 all of it at once costs no worker its run: 0 good runs lost', async () => {
    const tree = ordinaryTree();
    const all = async (): Promise<void> => {
      for (const happens of Object.values(ORDINARY)) await happens(tree);
    };
    const found = await audits(tree, all);
    expectGood(tree, found);
    const areas = found.flatMap(({ uncharged }) => uncharged.map(({ area, count }) => [area, count > 200]));
    expect(areas).toContainEqual(['ignored', true]);
    const external = found.flatMap((audit) => audit.external.map(({ reason }) => reason));
    expect(external).toContain('fetched-ref');
  });
});

/** A clone with ignored things that are there already, so that there is something to fetch. */
function ordinaryTree(): string {
  const origin = sampleRepository();
  const tree = join(tempFolder(), 'tree');
  git(origin, 'clone', '-q', origin, tree);
  appendFileSync(join(tree, '.gitignore'), `${IGNORED.join('\n')}\n`);
  git(tree, 'commit', '-q', '-a', '-m', 'more to ignore');
  for (const file of ['build/out.js', '.cache/x', 'node_modules/dep/package.json', 'server.log'])
    write(tree, file, 'old');
  mkdirSync(join(tree, 'tmp'));
  git(origin, 'branch', 'news');
  appendFileSync(join(origin, 'src/b.ts'), '// news\n');
  git(origin, 'commit', '-q', '-a', '-m', 'news');
  return tree;
}

/** An implementer at its plan and verifiers beside it, confined and not, while something goes on. */
async function audits(tree: string, happen: () => void | Promise<void>): Promise<readonly MutationAudit[]> {
  const at = { projectRoot: tree, worktree: tree, ignored: 'free' } as const;
  const batches: readonly (readonly JobContract[])[] = [
    [job('alone', { policy: { ...at, plannedPaths: [`${tree}/src/a.ts`] } })],
    [verifier('one', {}, at), verifier('two', {}, at)],
    [verifier('confined', { ...CONFINED, wider: [tree] }, at)],
    [verifier('layered', { ...CONFINED, layer: 'overlay' }, at)],
  ];
  const found: MutationAudit[] = [];
  const observation = await observe(tree, happen);
  for (const batch of batches)
    for (const self of batch) found.push(judgeAttempt({ ...input(self, observation), observation, batch }));
  return found;
}

function expectGood(tree: string, found: readonly MutationAudit[]): void {
  for (const { status, violations, sourceChanged, gitChanged } of found)
    expect({ tree, status, violations, sourceChanged, gitChanged }).toEqual({
      ...{ tree, status: 'ok', violations: [] },
      ...{ sourceChanged: false, gitChanged: false },
    });
}
