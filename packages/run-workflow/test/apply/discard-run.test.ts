import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discardRun } from '../../src/index.ts';
import { appliedScene } from '../support/apply-scene.ts';
import { codeOf } from '../support/errors.ts';
import { commitFiles, git, writeFiles } from '../support/git-repository.ts';
import { launchingRecord, projectAt, sampleRun } from '../support/sample-run.ts';

const FILES = { 'src/cart.js': 'one\n', 'src/gone.js': 'gone\n', 'run.sh': '#!/bin/sh\n' };

describe('discarding a run', () => {
  it('keeps what was changed or new, takes worktree and branch away, and leaves the project alone', async () => {
    const { run, root, project } = await appliedScene(
      FILES,
      async (worktree) => {
        await writeFiles(worktree, { 'src/cart.js': 'two\n', 'a b/ümlaut.js': 'new\n' });
        await rm(join(worktree, 'src/gone.js'));
        await chmod(join(worktree, 'run.sh'), 0o755);
        await symlink('nowhere', join(worktree, 'src/link'));
      },
      'git',
    );
    const discarded = await discardRun(project, run);
    expect(discarded.kept).toEqual(['a b/ümlaut.js', 'run.sh', 'src/cart.js', 'src/link']);
    expect(await readFile(join(discarded.keptAt, 'src/cart.js'), 'utf8')).toBe('two\n');
    expect(await git(root, 'worktree', 'list')).not.toContain(run.manifest.runId);
    expect(await git(root, 'branch', '--list', 'bailiwick/*')).toBe('');
    expect(await git(root, 'status', '--porcelain')).toBe('');
  });

  it('keeps what was committed on the branch, which goes with it', async () => {
    const { run, project } = await appliedScene(
      FILES,
      async (worktree) => {
        await commitFiles(worktree, { 'src/cart.js': 'committed\n', 'new.js': 'committed\n' });
        await writeFiles(worktree, { 'later.js': 'not yet\n' });
      },
      'git',
    );
    const discarded = await discardRun(project, run);
    expect(discarded.kept).toEqual(['later.js', 'new.js', 'src/cart.js']);
    expect(await readFile(join(discarded.keptAt, 'src/cart.js'), 'utf8')).toBe('committed\n');
  });

  it('keeps files whose names aren’t UTF-8, links and executable bits, and what a nested repository holds', async () => {
    const odd = Buffer.from([0x66, 0xff, 0x2e, 0x6a, 0x73]);
    const { run, project } = await appliedScene(
      FILES,
      async (worktree) => {
        await writeFile(Buffer.concat([Buffer.from(`${worktree}/`), odd]), 'odd\n');
        await chmod(join(worktree, 'run.sh'), 0o755);
        await symlink('src/cart.js', join(worktree, 'link'));
        await mkdir(join(worktree, 'nested'));
        await git(join(worktree, 'nested'), 'init', '--quiet');
        await commitFiles(join(worktree, 'nested'), { 'deep/in.js': 'nested\n' });
      },
      'git',
    );
    const { kept, keptAt } = await discardRun(project, run);
    expect(kept).toEqual([{ pathBytes: odd.toString('base64') }, 'link', 'nested', 'run.sh']);
    expect(await readFile(Buffer.concat([Buffer.from(`${keptAt}/`), odd]), 'utf8')).toBe('odd\n');
    expect(await readFile(join(keptAt, 'nested/deep/in.js'), 'utf8')).toBe('nested\n');
    expect(await readlink(join(keptAt, 'link'))).toBe('src/cart.js');
    expect((await lstat(join(keptAt, 'run.sh'))).mode & 0o111).toBe(0o111);
  });

  it('of a worktree without a change keeps nothing', async () => {
    const { run, project } = await appliedScene(FILES, async () => undefined, 'git');
    const discarded = await discardRun(project, run);
    expect([discarded.kept, await readdir(discarded.keptAt)]).toEqual([[], []]);
  });

  it('is refused by code: while a worker may still write, when the worktree is gone, and where there never was one', async () => {
    const { run, project, worktree } = await appliedScene(FILES, async () => undefined, 'git');
    const running = { ...run, records: [launchingRecord(run, 'implementer')] };
    expect(await codeOf(() => discardRun(project, running))).toBe('RUN_UNFINISHED');
    await discardRun(project, run);
    expect(await codeOf(() => discardRun(project, run))).toBe('WORKTREE_GONE');
    await expect(readdir(worktree)).rejects.toThrow('ENOENT');
    const shared = sampleRun(projectAt('/shop'));
    expect(await codeOf(() => discardRun(project, { ...shared, records: [], unreadable: [] }))).toBe(
      'NOTHING_TO_APPLY',
    );
  });
});
