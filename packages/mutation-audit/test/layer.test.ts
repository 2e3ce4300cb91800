import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAltered, type LayerPlace, outlineTree } from '../src/index.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

const UNASKED = { ask: () => Promise.reject(new Error('a copy is asked nothing')) };

describe('what was altered in a copy of a tree', () => {
  it('ST-8 is nothing where programs wrote caches and output only, and touched what was there', async () => {
    const { root, layer } = copied();
    write(layer.folder, 'coverage/index.html', 'new');
    write(layer.folder, 'build/out.js', 'built again');
    write(layer.folder, 'trace.log', 'more');
    write(layer.folder, 'src/a.ts', 'export const a = 1;\n');
    expect(await findAltered({ worktree: root, layer, ...UNASKED })).toEqual({ paths: [], count: 0, problem: null });
  });

  it.each<[string, string, (folder: string) => void]>([
    ['an edit', 'src/a.ts', (folder) => writeFileSync(join(folder, 'src/a.ts'), 'export const a = 9;\n')],
    ['an edit of what is untracked', 'note.txt', (folder) => writeFileSync(join(folder, 'note.txt'), 'other')],
    ['a removal', 'note.txt', (folder) => unlinkSync(join(folder, 'note.txt'))],
    ['a folder that went', 'src/deep/c.ts', (folder) => rmSync(join(folder, 'src/deep'), { recursive: true })],
    ['a program bit', 'run.sh', (folder) => chmodSync(join(folder, 'run.sh'), 0o755)],
    [
      'a link in the place of a file',
      'note.txt',
      (folder) => {
        unlinkSync(join(folder, 'note.txt'));
        symlinkSync('run.sh', join(folder, 'note.txt'));
      },
    ],
  ])('ST-8 is %s', async (_, path, change) => {
    const { root, layer } = copied();
    change(layer.folder);
    expect(await findAltered({ worktree: root, layer, ...UNASKED })).toEqual({
      paths: [path],
      count: 1,
      problem: null,
    });
  });

  it('leaves out what is not seen through the layer, and counts what it doesn’t name', async () => {
    const { root, layer } = copied();
    rmSync(join(layer.folder, 'src'), { recursive: true });
    const exclude = [join(root, 'src/deep')];
    expect(await findAltered({ worktree: root, layer, exclude, ...UNASKED })).toMatchObject({ count: 2 });
    for (let at = 0; at < 60; at += 1) write(root, `many/${at}.txt`, 'x');
    const found = await findAltered({ worktree: root, layer, ...UNASKED });
    expect(found.count).toBe(63);
    expect(found.paths).toHaveLength(50);
  });
});

describe('what was altered in an overlay', () => {
  it('ST-8 is told by what the overlay holds, and by what the mounted layer shows where that could be a folder made anew', async () => {
    const root = sampleRepository();
    const layer: LayerPlace = { kind: 'overlay', folder: join(tempFolder(), 'upper') };
    write(layer.folder, 'src/a.ts', 'export const a = 9;\n');
    write(layer.folder, 'src/b.ts', 'export const b = 2;\n');
    write(layer.folder, 'src/deep/__pycache__/c.pyc', 'cache');
    const asked: string[] = [];
    const answering = (isThere: boolean) => ({
      ask: async (paths: readonly string[]) => {
        asked.push(...paths);
        return paths.map(() => isThere);
      },
    });
    const altered = await findAltered({ worktree: root, layer, ...answering(true) });
    expect(altered).toEqual({ paths: ['src/a.ts'], count: 1, problem: null });
    expect(asked).toEqual([join(root, 'src/deep/c.ts')]);
    const anew = await findAltered({ worktree: root, layer, ...answering(false) });
    expect(anew).toEqual({ paths: ['src/a.ts', 'src/deep/c.ts'], count: 2, problem: null });
  });

  it.skipIf(process.getuid?.() !== 0)('ST-8 is what a device of the overlay stands for: a removal', async () => {
    const root = sampleRepository();
    const folder = join(tempFolder(), 'upper');
    mkdirSync(folder);
    execFileSync('mknod', [join(folder, 'src'), 'c', '0', '0']);
    const found = await findAltered({ worktree: root, layer: { kind: 'overlay', folder }, ...UNASKED });
    expect(found).toEqual({ paths: ['src/a.ts', 'src/b.ts', 'src/deep/c.ts'], count: 3, problem: null });
  });

  it('asks nothing of a layer that holds nothing', async () => {
    const root = sampleRepository();
    const layer: LayerPlace = { kind: 'overlay', folder: tempFolder() };
    expect(await findAltered({ worktree: root, layer, ...UNASKED })).toMatchObject({ count: 0, problem: null });
  });
});

describe('the outline of a tree', () => {
  const LIMITS = { maxFiles: 100, maxBytes: 10_000 };

  it('has all but ignored folders, tracked files in one of those too', async () => {
    const root = sampleRepository();
    write(root, 'dist/kept/index.js', 'tracked');
    write(root, '.gitignore', '*.log\nbuild/\ndist/\n');
    git(root, 'add', '-f', 'dist/kept/index.js');
    write(root, 'dist/other/x.js', 'ignored');
    mkdirSync(join(root, 'empty'));
    write(root, 'left/out.txt', '');
    expect(await outlineTree({ worktree: root, exclude: [join(root, 'left')], ...LIMITS })).toEqual({
      kind: 'fits',
      folders: ['dist', 'dist/kept', 'empty', 'src', 'src/deep'],
      files: [
        ...['.gitignore', 'note.txt', 'run.sh', 'trace.log', 'dist/kept/index.js'],
        ...['src/a.ts', 'src/b.ts', 'src/deep/c.ts'],
      ],
      ignoredFolders: ['build', 'dist/other'],
    });
  });

  it('is none of a tree that is larger than asked for', async () => {
    const root = sampleRepository();
    const tooMany = await outlineTree({ worktree: root, ...LIMITS, maxFiles: 3 });
    expect(tooMany).toEqual({ kind: 'too-large', files: 7, bytes: expect.any(Number) });
    expect(await outlineTree({ worktree: root, ...LIMITS, maxBytes: 20 })).toMatchObject({ kind: 'too-large' });
  });
});

/** A repository and a complete copy of it, as old as its last file. */
function copied(): { readonly root: string; readonly layer: Extract<LayerPlace, { kind: 'copy' }> } {
  const root = sampleRepository();
  const folder = join(tempFolder(), 'copy');
  cpSync(root, folder, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('/.git') });
  const marker = join(folder, '..', 'made');
  writeFileSync(marker, '');
  return { root, layer: { kind: 'copy', folder, madeAtNs: lstatSync(marker, { bigint: true }).ctimeNs } };
}
