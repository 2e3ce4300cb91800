import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { findProject } from '../../src/index.ts';
import { codeOf, errorOf } from '../support/errors.ts';
import { commitFiles, git, gitRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = { 'src/cart.js': '1\n', 'docs/a.md': 'a\n' };
const USER_STATE = '/user-state';

const find = (cwd: string, projectPath?: string) =>
  findProject({ cwd, userStateFolder: USER_STATE, ...(projectPath === undefined ? {} : { projectPath }) });

async function supportsReftable(): Promise<boolean> {
  const folder = tempFolder();
  const { exitCode } = await execa('git', ['init', '--quiet', '--ref-format=reftable', folder], { reject: false });
  return exitCode === 0;
}

describe('the project', () => {
  it('is the top level above the folder, with its commit, and keeps its runs in the git folder', async () => {
    const root = await gitRepository(FILES);
    expect(await find(join(root, 'src'))).toEqual({
      root,
      gitCommonDirectory: join(root, '.git'),
      headCommit: await git(root, 'rev-parse', 'HEAD'),
      stateRoot: join(root, '.git', 'bailiwick'),
    });
  });

  it('is a subfolder that is named, with runs of its own', async () => {
    const root = await gitRepository(FILES);
    const [whole, source, docs] = [await find(root), await find(root, 'src'), await find(root, 'docs')];
    expect([source.root, source.gitCommonDirectory, source.headCommit]).toEqual([
      join(root, 'src'),
      whole.gitCommonDirectory,
      whole.headCommit,
    ]);
    expect(new Set([whole, source, docs].map((project) => project.stateRoot)).size).toBe(3);
    expect(source.stateRoot.startsWith(whole.stateRoot)).toBe(true);
    expect(await find(root, '.')).toEqual(whole);
  });

  it('is a linked worktree, whose runs lie in the folder that all worktrees share', async () => {
    const root = await gitRepository(FILES);
    const linked = join(tempFolder(), 'linked');
    await git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
    await commitFiles(linked, { 'new.js': '2\n' });
    expect(await find(linked)).toEqual({
      root: linked,
      gitCommonDirectory: join(root, '.git'),
      headCommit: await git(linked, 'rev-parse', 'HEAD'),
      stateRoot: join(root, '.git', 'bailiwick'),
    });
  });

  it('is found through a link by its real path', async () => {
    const root = await gitRepository(FILES);
    const link = join(tempFolder(), 'link');
    await symlink(root, link);
    expect((await find(link)).root).toBe(root);
    expect((await find(join(link, 'src'))).root).toBe(root);
  });

  it('has no commit before the first one', async () => {
    const root = await gitRepository();
    expect(await find(root)).toMatchObject({ root, headCommit: null });
  });

  it('may be a SHA-256 repository', async () => {
    const root = await gitRepository(FILES, { initArgs: ['--object-format=sha256'] });
    expect((await find(root)).headCommit).toMatch(/^[0-9a-f]{64}$/);
  });

  it('may be a repository with reftable refs, where git has them', async (test) => {
    if (!(await supportsReftable())) test.skip('this git has no reftable');
    const root = await gitRepository(FILES, { initArgs: ['--ref-format=reftable'] });
    expect((await find(root)).headCommit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('may be a submodule, whose runs lie in its own git folder', async () => {
    const inner = await gitRepository(FILES);
    const outer = await gitRepository({ 'a.txt': 'a\n' });
    await git(outer, 'submodule', '--quiet', 'add', inner, 'shop');
    const found = await find(join(outer, 'shop', 'src'));
    expect(found.root).toBe(join(outer, 'shop'));
    expect(found.stateRoot).toBe(join(outer, '.git', 'modules', 'shop', 'bailiwick'));
  });

  it('may lie at any path that can stand in a line', async () => {
    for (const folder of ['it\'s a "house"', 'Gästehaus 宿', ' -leading', '$(date) `ls` *'])
      expect((await find(await gitRepository({}, { folder }))).root.endsWith(folder)).toBe(true);
  });

  it('is a folder without git where it is named, and keeps its runs in the user’s state folder', async () => {
    const folder = tempFolder();
    const found = await find(folder, '.');
    expect(found).toEqual({
      root: folder,
      gitCommonDirectory: null,
      headCommit: null,
      stateRoot: expect.stringMatching(/^\/user-state\/bailiwick\/projects\/[0-9a-f]{16}$/),
    });
    expect((await find(tempFolder(), '.')).stateRoot).not.toBe(found.stateRoot);
  });

  it('is refused by code: no git and no name, no such folder, no folder', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'file'), '');
    expect(await codeOf(() => find(folder))).toBe('NOT_A_REPOSITORY');
    expect(await codeOf(() => find(folder, 'gone'))).toBe('PROJECT_MISSING');
    expect(await codeOf(() => find(folder, 'file'))).toBe('PROJECT_MISSING');
  });

  it('is refused by code where a bare repository, or the git folder itself, leaves no tree to work in', async () => {
    const root = await gitRepository(FILES);
    const bare = join(tempFolder(), 'bare.git');
    await git(root, 'clone', '--quiet', '--bare', root, bare);
    expect(await codeOf(() => find(bare))).toBe('BARE_REPOSITORY');
    expect(await codeOf(() => find(bare, '.'))).toBe('BARE_REPOSITORY');
    expect(await codeOf(() => find(join(root, '.git')))).toBe('BARE_REPOSITORY');
  });

  it.each(['two\nlines', 'bell\u0007', 'line\u2028separator', 'next\u0085line'])(
    'is refused by code at %j: no prompt could name a file there',
    async (name) => {
      const folder = join(tempFolder(), name);
      await mkdir(folder);
      const error = await errorOf(() => find(folder, '.'));
      expect(error).toMatchObject({ code: 'PROJECT_PATH_UNSUPPORTED', path: expect.not.stringContaining('\n') });
    },
  );

  it('is refused with git’s own words where the repository is broken, and is not taken for a folder without git', async () => {
    const root = await gitRepository(FILES);
    await writeFile(join(root, '.git', 'config'), '[core\n');
    expect(await errorOf(() => find(root, '.'))).toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringContaining('config'),
    });
  });

  it('does not run a program that somebody wrote into the repository’s configuration', async () => {
    const root = await gitRepository(FILES);
    const trace = join(tempFolder(), 'ran');
    await writeFile(join(root, 'evil.sh'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    await git(root, 'config', 'core.fsmonitor', join(root, 'evil.sh'));
    await find(root);
    await expect(rm(trace)).rejects.toThrow('ENOENT');
  });
});
