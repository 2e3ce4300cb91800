import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareWithSnapshot, displayPath, takeSnapshot } from '../src/index.ts';
import { changesOf, observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

describe('traps for a walker', () => {
  it('MA-3 calls a path that is too long for the system unverifiable, never unchanged', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => deepFolders(root));
    expect(seen.unverifiable.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^ENAMETOOLONG/)]);
    expect(changesOf(seen, root).length).toBeGreaterThan(10);
    execFileSync('rm', ['-rf', join(root, 'deep')]);
  });

  it('MA-3 calls a folder unverifiable that no one could list at the baseline, even where it looks the same', async () => {
    const root = sampleRepository();
    const snapshotPath = join(tempFolder(), 's.snap');
    deepFolders(root);
    await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
    const seen = await compareWithSnapshot({ snapshotPath });
    expect(seen.changes).toEqual([]);
    expect(seen.unverifiable).toHaveLength(1);
    expect(seen.afterDigest).not.toBe(seen.beforeDigest);
    execFileSync('rm', ['-rf', join(root, 'deep')]);
  });

  it.skipIf(process.getuid?.() !== 0)('MA-3 calls a folder and a file that it may not read unverifiable', async () => {
    const root = sampleRepository();
    write(root, 'closed/x', 'x');
    execFileSync('chown', ['-R', '1234:1234', root]);
    chmodSync(join(root, '..'), 0o777);
    const script = `
      process.setgid(1234); process.setuid(1234);
      const { takeSnapshot, compareWithSnapshot } = await import(${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))});
      const { chmodSync, writeFileSync } = await import('node:fs');
      const snapshotPath = ${JSON.stringify(join(root, '../s.snap'))};
      const root = ${JSON.stringify(root)};
      await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
      writeFileSync(root + '/src/a.ts', 'other');
      chmodSync(root + '/src/a.ts', 0);
      writeFileSync(root + '/closed/new', 'x');
      chmodSync(root + '/closed', 0);
      const seen = await compareWithSnapshot({ snapshotPath });
      console.log(JSON.stringify(seen.unverifiable.map(({ path, reason }) => path.slice(root.length + 1) + ' ' + reason.split(':')[0])));
      process.exit(0);
    `;
    const out = execFileSync(
      process.execPath,
      ['--conditions=@bailiwick/source', '--input-type=module', '-e', script],
      {
        encoding: 'utf8',
        cwd: join(import.meta.dirname, '..'),
      },
    );
    expect(JSON.parse(out).toSorted()).toEqual(['closed EACCES', 'closed/x EACCES', 'src/a.ts EACCES']);
  });

  it('MA-11 sees everything below a folder as gone that became a link to where it went', async () => {
    const root = sampleRepository();
    const elsewhere = join(tempFolder(), 'moved');
    const seen = await observe(root, () => {
      renameSync(join(root, 'src'), elsewhere);
      symlinkSync(elsewhere, join(root, 'src'));
    });
    expect(existsSync(join(root, 'src/deep/c.ts'))).toBe(true);
    expect(changesOf(seen, root)).toEqual([
      'type src',
      'deleted src/a.ts',
      'deleted src/b.ts',
      'deleted src/deep',
      'deleted src/deep/c.ts',
    ]);
  });

  it('MA-11 follows no link to a folder outside', async () => {
    const root = sampleRepository();
    const outside = tempFolder();
    symlinkSync(outside, join(root, 'out'));
    const seen = await observe(root, () => void write(outside, 'x', 'x'));
    expect(seen.changes).toEqual([]);
  });

  it('MA-11 sees each of many names in one large folder', async () => {
    const root = sampleRepository();
    for (let at = 0; at < 5_000; at += 1) write(root, `many/n${at}`, '');
    const seen = await observe(root, () => {
      for (const at of [0, 2_047, 2_048, 4_999]) writeFileSync(join(root, `many/n${at}`), 'x');
      rmSync(join(root, 'many/n4096'));
    });
    expect(changesOf(seen, root)).toEqual([
      'modified many/n0',
      'modified many/n2047',
      'modified many/n2048',
      'deleted many/n4096',
      'modified many/n4999',
    ]);
  });

  it('MA-1 writes one snapshot that is never replaced', async () => {
    const root = sampleRepository();
    const snapshotPath = join(tempFolder(), 'a/b/s.snap');
    const roots = [{ path: root, git: 'auto' }] as const;
    await takeSnapshot({ roots, snapshotPath, exclude: [] });
    const first = readFileSync(snapshotPath);
    await expect(takeSnapshot({ roots, snapshotPath, exclude: [] })).rejects.toMatchObject({ code: 'SNAPSHOT_EXISTS' });
    expect(readFileSync(snapshotPath).equals(first)).toBe(true);
  });

  it('refuses a root that is missing, relative, a file, a link or a bare repository', async () => {
    const root = sampleRepository();
    const folder = tempFolder();
    symlinkSync(root, join(folder, 'link'));
    git(folder, 'init', '-q', '--bare', 'bare.git');
    const take = (path: string) =>
      takeSnapshot({ roots: [{ path, git: 'auto' }], snapshotPath: join(folder, 's.snap'), exclude: [] });
    for (const path of [join(folder, 'none'), 'relative', join(root, 'run.sh'), join(folder, 'link')]) {
      await expect(take(path)).rejects.toMatchObject({ code: 'SNAPSHOT_ROOT_INVALID', path });
    }
    await expect(take(join(folder, 'bare.git'))).rejects.toMatchObject({ code: 'SNAPSHOT_ROOT_BARE' });
  });

  it('leaves excluded paths out, with all below them, whichever way they are spelled', async () => {
    const root = sampleRepository();
    mkdirSync(join(root, 'state'));
    const seen = await observe(
      root,
      () => {
        write(root, 'state/x', 'x');
        write(root, 'own.json', '{}');
      },
      { exclude: [join(root, 'state/'), join(root, 'src/../own.json')] },
    );
    expect(seen.changes).toEqual([]);
  });

  it('treats .git as ordinary files in a root without git', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void git(root, 'config', 'a.b', 'c'), {
      roots: [{ path: root, git: 'none' }],
    });
    expect(changesOf(seen, root)).toEqual(['modified .git/config']);
    expect(seen.git).toEqual([]);
  });

  it('shows names for people without control characters', () => {
    expect(displayPath('/a\nb\u001b[31m')).toBe('/a\\x0ab\\x1b[31m');
    expect(displayPath({ pathBytes: Buffer.from([0x2f, 0xff]).toString('base64') })).toBe('/\\xff');
  });
});

/** Folders nested deeper than a path may be long, made step by step as a worker could. */
function deepFolders(root: string): void {
  const name = 'd'.repeat(200);
  execFileSync(
    'sh',
    ['-c', `mkdir deep && cd deep && for i in $(seq 25); do mkdir ${name} && cd -P ./${name}; done; touch x`],
    {
      cwd: root,
    },
  );
}
