import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changesOf, observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

/** An overlay over a folder; undefined where it may not be mounted here. Its times are not known to be fine. */
function overlayOf(lower: string): string | undefined {
  const base = tempFolder('overlay');
  for (const name of ['upper', 'work', 'merged']) mkdirSync(join(base, name));
  const merged = join(base, 'merged');
  const options = `lowerdir=${lower},upperdir=${base}/upper,workdir=${base}/work`;
  try {
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, merged], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', [merged]));
  return merged;
}

describe('file systems', () => {
  it('MA-11 digests what is younger than the clock of a file system whose times are not known to be fine', async (context) => {
    const merged = overlayOf(sampleRepository());
    if (merged === undefined) return context.skip();
    write(merged, 'src/young.ts', 'one');
    git(merged, 'status');
    const seen = await observe(merged, () => {
      writeFileSync(join(merged, 'src/young.ts'), 'two');
      write(merged, 'src/new.ts', 'x');
      renameSync(join(merged, 'note.txt'), join(merged, 'src/moved.txt'));
    });
    expect(changesOf(seen, merged)).toEqual([
      'deleted note.txt',
      'created src/moved.txt',
      'created src/new.ts',
      'modified src/young.ts',
    ]);
    const quiet = await observe(merged, () => undefined);
    expect(quiet).toMatchObject({ changes: [], unverifiable: [], git: [] });
  });

  it('MA-5 names the files that have more than one link, ignored ones aside', async () => {
    const root = sampleRepository();
    linkSync(join(root, 'src/a.ts'), join(tempFolder(), 'elsewhere'));
    linkSync(join(root, 'build/out.js'), join(tempFolder(), 'elsewhere'));
    const seen = await observe(root, () => undefined);
    expect(seen.aliased).toEqual([join(root, 'src/a.ts')]);
    expect(seen.changes).toEqual([]);
  });

  it('MA-11 works through a path with names beyond ASCII', async () => {
    const root = join(tempFolder('Überordner'), 'größe');
    mkdirSync(root);
    git(root, 'init', '-q', '-b', 'main');
    write(root, '日本/ä.txt', 'x');
    git(root, 'add', '-A');
    const seen = await observe(root, () => {
      write(root, '日本/ä.txt', 'y');
      write(root, '日本/ö.txt', 'y');
    });
    expect(changesOf(seen, root)).toEqual(['modified 日本/ä.txt', 'created 日本/ö.txt']);
    expect(seen.changes[0]).toMatchObject({ root, tracked: true });
  });
});
