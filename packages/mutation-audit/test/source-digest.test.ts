import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceDigest } from '../src/index.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

describe('source digest', () => {
  it('ST-8 is equal for equal sources, whatever times, inodes, ignored files, empty folders and git state', async () => {
    const root = sampleRepository();
    const before = await sourceDigest({ worktree: root });
    utimesSync(join(root, 'src/a.ts'), 1_000, 1_000);
    write(root, 'copy', 'export const b = 2;\n');
    renameSync(join(root, 'copy'), join(root, 'src/b.ts'));
    write(root, 'build/other.js', 'x');
    write(root, 'x.log', 'x');
    mkdirSync(join(root, 'src/empty'));
    git(root, 'branch', 'side');
    expect(await sourceDigest({ worktree: root })).toBe(before);
    expect(before).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each<[string, (root: string) => void]>([
    ['an edited tracked file', (root) => writeFileSync(join(root, 'src/a.ts'), 'export const a = 9;\n')],
    ['an edited untracked file', (root) => writeFileSync(join(root, 'note.txt'), 'other')],
    ['a new file', (root) => void write(root, 'new.ts', '')],
    ['a removed file', (root) => unlinkSync(join(root, 'note.txt'))],
    ['a renamed file', (root) => renameSync(join(root, 'note.txt'), join(root, 'note2.txt'))],
    ['a program bit', (root) => chmodSync(join(root, 'run.sh'), 0o755)],
    [
      'a file that became a link',
      (root) => {
        unlinkSync(join(root, 'note.txt'));
        symlinkSync('x', join(root, 'note.txt'));
      },
    ],
  ])('ST-8 differs for %s', async (_, change) => {
    const root = sampleRepository();
    const before = await sourceDigest({ worktree: root });
    change(root);
    expect(await sourceDigest({ worktree: root })).not.toBe(before);
  });

  it('ST-8 is the same for the same source elsewhere, and leaves excluded paths out', async () => {
    const root = sampleRepository();
    const other = join(tempFolder(), 'elsewhere');
    git(root, 'clone', '-q', root, other);
    write(other, 'note.txt', 'untracked\n');
    const here = await sourceDigest({ worktree: root });
    expect(await sourceDigest({ worktree: other })).toBe(here);
    write(root, 'out/result.json', '{}');
    expect(await sourceDigest({ worktree: root, exclude: [join(root, 'out')] })).toBe(here);
  });

  it('ST-8 covers a work tree that lies where its main checkout ignores it', async () => {
    const root = sampleRepository();
    const linked = join(root, 'build/linked');
    git(root, 'worktree', 'add', '-q', '-b', 'run', linked);
    const before = await sourceDigest({ worktree: linked });
    writeFileSync(join(linked, 'src/a.ts'), 'export const a = 9;\n');
    expect(await sourceDigest({ worktree: linked })).not.toBe(before);
  });

  it('refuses what is no folder', async () => {
    await expect(sourceDigest({ worktree: join(tempFolder(), 'none') })).rejects.toMatchObject({
      code: 'SNAPSHOT_ROOT_INVALID',
    });
  });
});
