import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyRun } from '../../src/index.ts';
import { type AppliedScene, appliedScene } from '../support/apply-scene.ts';
import { codeOf, errorOf } from '../support/errors.ts';
import { filesOf } from '../support/files-of.ts';
import { git, writeFiles } from '../support/git-repository.ts';
import { failedRecord, sampleRun } from '../support/sample-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = { 'src/cart.js': 'one\n', 'src/gone.js': 'gone\n', 'run.sh': '#!/bin/sh\n', 'docs/a.md': 'a\n' };

/** Expects a refusal, and that not a byte of the project was changed. */
async function refusalOf({ run, root, worktree }: AppliedScene): Promise<string> {
  const inProject = async () =>
    Object.fromEntries(Object.entries(await filesOf(root)).filter(([path]) => !path.startsWith(`${worktree}/`)));
  const before = await inProject();
  const code = await codeOf(() => applyRun(run));
  expect(await inProject()).toEqual(before);
  return code;
}

describe('applying a run', () => {
  it('takes edits, new files in new folders and deletions into the project, and nothing else', async () => {
    const { run, root } = await appliedScene(
      FILES,
      async (worktree) => {
        await writeFiles(worktree, { 'src/cart.js': 'two\n', 'lib/new/deep.js': 'new\n' });
        await rm(join(worktree, 'src/gone.js'));
      },
      'git',
    );
    const { applied, unchanged } = await applyRun(run);
    expect([
      [...applied].filter((path) => path.endsWith('.js')).sort(),
      unchanged.filter((path) => path.endsWith('.js')),
    ]).toEqual([['lib/new/deep.js', 'src/cart.js', 'src/gone.js'], []]);
    expect(await readFile(join(root, 'src/cart.js'), 'utf8')).toBe('two\n');
    const status = await git(root, 'status', '--porcelain', '-uall');
    expect(
      status
        .split('\n')
        .map((line) => line.trim())
        .sort(),
    ).toEqual(['?? lib/new/deep.js', 'D src/gone.js', 'M src/cart.js']);
  });

  it.skipIf(process.platform !== 'linux')(
    'takes over names that are not UTF-8, in folders and as links too',
    async () => {
      const at = (root: string, name: string): Buffer =>
        Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
      const { run, root, worktree } = await appliedScene(
        FILES,
        async (tree) => {
          await mkdir(at(tree, 'caf\xe9'));
          await writeFile(at(tree, 'caf\xe9/men\xfc.txt'), 'new\n', { mode: 0o755 });
          await symlink('a.md', at(tree, 'docs/li\xffnk'));
          await rm(join(tree, 'src/gone.js'));
        },
        'git',
      );
      const { applied } = await applyRun(run);
      expect([...applied].sort()).toEqual(['caf\\xe9/men\\xfc.txt', 'docs/li\\xffnk', 'src/gone.js']);
      expect(await readFile(at(root, 'caf\xe9/men\xfc.txt'), 'utf8')).toBe('new\n');
      expect((await lstat(at(root, 'caf\xe9/men\xfc.txt'))).mode & 0o777).toBe(0o755);
      expect(await readlink(at(root, 'docs/li\xffnk'))).toBe('a.md');
      expect((await readdir(join(root, 'docs'), 'latin1')).sort()).toEqual(['a.md', 'li\xffnk']);
      expect((await applyRun(run)).applied).toEqual([]);
      await writeFile(at(root, 'caf\xe9/men\xfc.txt'), 'a person edits\n');
      expect(await codeOf(() => applyRun(run))).toBe('APPLY_CONFLICT');
      await writeFile(at(worktree, 'caf\xe9/men\xfc.txt'), 'after the run\n');
      expect(await codeOf(() => applyRun(run))).toBe('RUN_NOT_SOUND');
    },
  );

  it('again does nothing, and says so', async () => {
    const { run, root } = await appliedScene(FILES, async (worktree) => {
      await writeFiles(worktree, { 'src/cart.js': 'two\n' });
      await rm(join(worktree, 'src/gone.js'));
    });
    await applyRun(run);
    const before = await filesOf(root);
    expect(await applyRun(run)).toEqual({
      runId: run.manifest.runId,
      applied: [],
      unchanged: ['src/cart.js', 'src/gone.js'],
    });
    expect(await filesOf(root)).toEqual(before);
  });

  it('goes on where it was cut off', async () => {
    const { run, root } = await appliedScene(FILES, async (worktree) => {
      await writeFiles(worktree, { 'src/cart.js': 'two\n', 'docs/a.md': 'b\n' });
    });
    await writeFile(join(root, 'src/cart.js'), 'two\n');
    expect(await applyRun(run)).toMatchObject({ applied: ['docs/a.md'], unchanged: ['src/cart.js'] });
  });

  it('takes over that a file can be executed now, where its content is the same', async () => {
    const { run, root } = await appliedScene(FILES, (worktree) => chmod(join(worktree, 'run.sh'), 0o755));
    expect((await applyRun(run)).applied).toEqual(['run.sh']);
    expect((await lstat(join(root, 'run.sh'))).mode & 0o111).toBe(0o111);
    expect((await applyRun(run)).unchanged).toEqual(['run.sh']);
  });

  it('leaves a person’s permissions as they are where the run changed the content alone', async () => {
    const { run, root } = await appliedScene(FILES, (worktree) => writeFiles(worktree, { 'src/cart.js': 'two\n' }));
    await chmod(join(root, 'src/cart.js'), 0o600);
    await applyRun(run);
    expect((await lstat(join(root, 'src/cart.js'))).mode & 0o777).toBe(0o600);
  });

  it('takes symlinks for what they are: new ones, ones in place of a file, a file in place of one', async () => {
    const { run, root } = await appliedScene(FILES, async (worktree) => {
      await symlink('../docs', join(worktree, 'src/link'));
      await rm(join(worktree, 'docs/a.md'));
      await symlink('a\n', join(worktree, 'docs/a.md'));
    });
    await applyRun(run);
    expect(await readlink(join(root, 'src/link'))).toBe('../docs');
    expect(await readlink(join(root, 'docs/a.md'))).toBe('a\n');
  });

  it('replaces a symlink by a file without writing through it', async () => {
    const outside = join(tempFolder(), 'outside');
    await writeFile(outside, 'mine\n');
    const scene = await appliedScene(FILES, async (worktree) => {
      await rm(join(worktree, 'run.sh'));
      await writeFile(join(worktree, 'run.sh'), '#!/bin/bash\n');
    });
    const { root, run } = scene;
    await rm(join(root, 'run.sh'));
    await symlink(outside, join(root, 'run.sh'));
    expect(await refusalOf(scene)).toBe('APPLY_CONFLICT');
    await rm(join(root, 'run.sh'));
    // a link whose target reads like the content that the worktree started from
    await symlink('#!/bin/sh\n', join(root, 'run.sh'));
    await applyRun(run);
    expect((await lstat(join(root, 'run.sh'))).isFile()).toBe(true);
    expect(await readFile(outside, 'utf8')).toBe('mine\n');
  });

  it('makes a folder of what was a file', async () => {
    const { run, root } = await appliedScene(FILES, async (worktree) => {
      await rm(join(worktree, 'run.sh'));
      await writeFiles(worktree, { 'run.sh/inner.js': 'in\n' });
    });
    await applyRun(run);
    expect(await readFile(join(root, 'run.sh/inner.js'), 'utf8')).toBe('in\n');
  });

  it('is refused, with the place, where a person changed the file meanwhile, and then writes none of the others', async () => {
    const scene = await appliedScene(FILES, (worktree) =>
      writeFiles(worktree, { 'docs/a.md': 'b\n', 'src/cart.js': 'two\n' }),
    );
    await writeFile(join(scene.root, 'src/cart.js'), 'mine\n');
    expect(await refusalOf(scene)).toBe('APPLY_CONFLICT');
    expect(await errorOf(() => applyRun(scene.run))).toMatchObject({
      path: join(scene.root, 'src/cart.js'),
      hint: expect.stringContaining(join(scene.worktree, 'src/cart.js')),
    });
  });

  it('is refused where a person deleted what the run changed, or made what the run made', async () => {
    const deleted = await appliedScene(FILES, (worktree) => writeFiles(worktree, { 'src/cart.js': 'two\n' }));
    await rm(join(deleted.root, 'src/cart.js'));
    expect(await refusalOf(deleted)).toBe('APPLY_CONFLICT');
    const made = await appliedScene(FILES, (worktree) => writeFiles(worktree, { 'new.js': 'theirs\n' }));
    await writeFile(join(made.root, 'new.js'), 'mine\n');
    expect(await refusalOf(made)).toBe('APPLY_CONFLICT');
  });

  it('is refused where a folder lies in the place of a file, and where a folder became a link to somewhere else', async () => {
    const folder = await appliedScene(FILES, (worktree) =>
      writeFiles(worktree, { 'docs/a.md': 'b\n', 'new.js': 'theirs\n' }),
    );
    await mkdir(join(folder.root, 'new.js'));
    expect(await refusalOf(folder)).toBe('APPLY_CONFLICT');
    const linked = await appliedScene(FILES, (worktree) => writeFiles(worktree, { 'src/new.js': 'theirs\n' }));
    const outside = tempFolder();
    await rename(join(linked.root, 'src'), join(outside, 'src'));
    await symlink(join(outside, 'src'), join(linked.root, 'src'));
    expect(await refusalOf(linked)).toBe('APPLY_CONFLICT');
    await expect(lstat(join(outside, 'src/new.js'))).rejects.toThrow('ENOENT');
  });

  it('is refused where the worktree is no longer what was audited', async () => {
    const scene = await appliedScene(FILES, (worktree) =>
      writeFiles(worktree, { 'src/cart.js': 'two\n', 'run.sh': 'x\n' }),
    );
    await writeFile(join(scene.worktree, 'src/cart.js'), 'three\n');
    expect(await refusalOf(scene)).toBe('RUN_NOT_SOUND');
    await rm(join(scene.worktree, 'src/cart.js'));
    expect(await refusalOf(scene)).toBe('RUN_NOT_SOUND');
  });

  it('is refused where the run did not end verified', async () => {
    const scene = await appliedScene(FILES, (worktree) => writeFiles(worktree, { 'src/cart.js': 'two\n' }));
    const [implementer, ...later] = scene.run.records;
    if (implementer === undefined) throw new Error('it implemented');
    const cut = { ...scene, run: { ...scene.run, records: [implementer] } };
    expect(await refusalOf(cut)).toBe('RUN_NOT_SOUND');
    const failed = [implementer, failedRecord(scene.run, 'verifier-1', 'exited'), ...later.slice(1)];
    expect(await refusalOf({ ...scene, run: { ...scene.run, records: failed } })).toBe('RUN_NOT_SOUND');
  });

  it('is refused where there is nothing to take over', async () => {
    expect(await refusalOf(await appliedScene(FILES, async () => undefined))).toBe('NOTHING_TO_APPLY');
    expect(await codeOf(() => applyRun({ ...sampleRun(), records: [], unreadable: [] }))).toBe('NOTHING_TO_APPLY');
  });
});
