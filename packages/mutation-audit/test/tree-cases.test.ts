import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesOf, gitChangesOf, observe, tracesOf } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

/** Edits in place and puts the times back as exactly as utimensat can. */
function editKeepingTimes(path: string, text: string): void {
  const keeper = `${tempFolder('times')}/keeper`;
  execFileSync('touch', ['-r', path, keeper]);
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, text, 0);
  closeSync(descriptor);
  execFileSync('touch', ['-r', keeper, path]);
}

const OTHER_A = 'export const a = 9;\n';

describe('changes in the tree', () => {
  it('M1 sees a plain edit, with the content before and after', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => appendFileSync(join(root, 'src/a.ts'), '// more\n'));
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(seen.changes[0]).toMatchObject({ tracked: true, ignored: false, root, fileType: 'file' });
    expect(seen.changes[0]?.beforeDigest).toBe(`git-sha1:${git(root, 'rev-parse', 'HEAD:src/a.ts').trim()}`);
    expect(seen.changes[0]?.afterDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(seen.afterDigest).not.toBe(seen.beforeDigest);
  });

  it('M2 sees an edit of the same size whose modification time was put back', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const before = statSync(path, { bigint: true });
    const seen = await observe(root, () => editKeepingTimes(path, OTHER_A));
    expect(statSync(path, { bigint: true })).toMatchObject({ size: before.size, mtimeNs: before.mtimeNs });
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
  });

  it('M3 sees the same made through a mapping', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const keeper = `${tempFolder('times')}/keeper`;
    execFileSync('touch', ['-r', path, keeper]);
    const seen = await observe(root, () => {
      execFileSync('python3', ['-c', MAP_AND_STORE, path]);
      execFileSync('touch', ['-r', keeper, path]);
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^X/);
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
  });

  it('M4 sees another inode moved over, with size and modification time kept', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const other = join(tempFolder(), 'other');
    writeFileSync(other, OTHER_A);
    execFileSync('touch', ['-r', path, other]);
    const seen = await observe(root, () => renameSync(other, path));
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
  });

  it('M5 sees an edit through a hard link from outside, and names the file as aliased', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const outside = join(tempFolder(), 'outside');
    linkSync(path, outside);
    const seen = await observe(root, () => editKeepingTimes(outside, OTHER_A));
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(seen.aliased).toEqual([path]);
  });

  it('M6 sees a file made executable', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => chmodSync(join(root, 'src/a.ts'), 0o755));
    expect(changesOf(seen, root)).toEqual(['mode src/a.ts']);
  });

  it('M7 sees a file closed to others', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => chmodSync(join(root, 'src/a.ts'), 0o600));
    expect(changesOf(seen, root)).toEqual(['mode src/a.ts']);
  });

  it.skipIf(process.getuid?.() !== 0)('M8 sees a file given to another owner', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => chownSync(join(root, 'src/a.ts'), 1234, 1234));
    expect(changesOf(seen, root)).toEqual(['mode src/a.ts']);
  });

  it('M9 sees an extended attribute as a trace on the file', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      execFileSync('python3', [
        '-c',
        'import os,sys; os.setxattr(sys.argv[1], b"user.x", b"1")',
        join(root, 'src/a.ts'),
      ]);
    });
    expect(tracesOf(seen, root)).toEqual(['restored src/a.ts']);
  });

  it('M10 sees a link that leads elsewhere', async () => {
    const root = sampleRepository();
    symlinkSync('src/a.ts', join(root, 'link'));
    const seen = await observe(root, () => {
      unlinkSync(join(root, 'link'));
      symlinkSync('src/b.ts', join(root, 'link'));
    });
    expect(changesOf(seen, root)).toEqual(['modified link']);
    expect(readlinkSync(join(root, 'link'))).toBe('src/b.ts');
  });

  it('M11 sees a file replaced by a link to the same content', async () => {
    const root = sampleRepository();
    const copy = join(tempFolder(), 'copy');
    copyFileSync(join(root, 'src/a.ts'), copy);
    const seen = await observe(root, () => {
      unlinkSync(join(root, 'src/a.ts'));
      symlinkSync(copy, join(root, 'src/a.ts'));
    });
    expect(changesOf(seen, root)).toEqual(['type src/a.ts']);
    expect(seen.changes[0]?.fileType).toBe('symlink');
  });

  it('M12 sees a new untracked file', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void write(root, 'src/new.ts', 'new\n'));
    expect(changesOf(seen, root)).toEqual(['created src/new.ts']);
    expect(seen.changes[0]).toMatchObject({ tracked: false, ignored: false, beforeDigest: null });
  });

  it('M13 sees a new ignored file, and says that it is ignored', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void write(root, 'src/new.log', 'new\n'));
    expect(changesOf(seen, root)).toEqual(['created src/new.log']);
    expect(seen.changes[0]).toMatchObject({ tracked: false, ignored: true });
  });

  it('M14 sees an edited ignored file', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => writeFileSync(join(root, 'build/out.js'), 'built again\n'));
    expect(changesOf(seen, root)).toEqual(['modified build/out.js']);
    expect(seen.changes[0]?.ignored).toBe(true);
  });

  it('M15 sees an empty folder that was made', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => mkdirSync(join(root, 'src/empty')));
    expect(changesOf(seen, root)).toEqual(['created src/empty']);
    expect(seen.changes[0]?.fileType).toBe('directory');
  });

  it('M16 sees an empty folder that was removed', async () => {
    const root = sampleRepository();
    mkdirSync(join(root, 'src/empty'));
    const seen = await observe(root, () => rmdirSync(join(root, 'src/empty')));
    expect(changesOf(seen, root)).toEqual(['deleted src/empty']);
  });

  it('M17 sees a fifo without waiting on it', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void execFileSync('mkfifo', [join(root, 'src/pipe')]));
    expect(changesOf(seen, root)).toEqual(['created src/pipe']);
    expect(seen.changes[0]?.fileType).toBe('fifo');
  });

  it('M18 sees a deleted tracked file', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => unlinkSync(join(root, 'src/a.ts')));
    expect(changesOf(seen, root)).toEqual(['deleted src/a.ts']);
    expect(seen.changes[0]).toMatchObject({ tracked: true, afterDigest: null });
  });

  it('M32 sees that a file was edited and put back with its modification time, as a trace and no lasting change', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const original = readFileSync(path, 'utf8');
    const seen = await observe(root, () => {
      editKeepingTimes(path, OTHER_A);
      editKeepingTimes(path, original);
    });
    expect(changesOf(seen, root)).toEqual([]);
    expect(tracesOf(seen, root)).toEqual(['restored src/a.ts']);
  });

  it('M33 sees that a file was made and removed, as a trace on its folder', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      write(root, 'src/passing', 'x');
      unlinkSync(join(root, 'src/passing'));
    });
    expect(changesOf(seen, root)).toEqual([]);
    expect(tracesOf(seen, root)).toEqual(['transient src']);
  });

  it('M36 sees an edit, a creation and a deletion of names that are not UTF-8', async () => {
    const root = sampleRepository();
    const named = (byte: number): Buffer => Buffer.concat([Buffer.from(`${root}/src/n`), Buffer.from([byte])]);
    writeFileSync(named(0xff), 'one');
    writeFileSync(named(0xfe), 'two');
    const seen = await observe(root, () => {
      writeFileSync(named(0xff), 'other');
      rmSync(named(0xfe));
      writeFileSync(named(0xfd), 'three');
    });
    expect(changesOf(seen, root).toSorted()).toEqual([
      'created src/n\\xfd',
      'deleted src/n\\xfe',
      'modified src/n\\xff',
    ]);
    expect(seen.changes.map(({ path }) => path)).toContainEqual({ pathBytes: named(0xff).toString('base64') });
  });

  it('M37 sees a name with a newline as one name', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void write(root, 'src/two\nlines.ts', 'x'));
    expect(seen.changes.map(({ path }) => path)).toEqual([join(root, 'src/two\nlines.ts')]);
  });

  it('M38 sees a store through a mapping that was held, and dirty, since before the snapshot', async () => {
    const root = sampleRepository();
    const path = join(root, 'src/a.ts');
    const go = join(tempFolder(), 'go');
    const child = spawn('python3', ['-c', HELD_MAPPING, path, go], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const seen = await observe(root, async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      writeFileSync(go, '');
      await ended;
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^Z/);
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
  });
});

describe('what stays quiet', () => {
  it('M42 charges nothing for a touch, of tracked and of untracked files', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      utimesSync(join(root, 'src/a.ts'), 1_000, 1_000);
      utimesSync(join(root, 'note.txt'), 1_000, 1_000);
    });
    expect(changesOf(seen, root)).toEqual([]);
    expect(tracesOf(seen, root).toSorted()).toEqual(['touched note.txt', 'touched src/a.ts']);
    expect(seen.afterDigest).toBe(seen.beforeDigest);
  });

  it('M43 says nothing of a read', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      execFileSync('grep', ['-r', 'export', root]);
      lstatSync(join(root, 'src'));
    });
    expect(seen).toMatchObject({ changes: [], git: [], traces: [], unverifiable: [], aliased: [] });
    expect(seen.afterDigest).toBe(seen.beforeDigest);
  });

  it('M39 charges nothing for a stash that was pushed and popped', async () => {
    const root = sampleRepository();
    appendFileSync(join(root, 'src/a.ts'), '// dirty\n');
    const seen = await observe(root, () => {
      git(root, 'stash', 'push', '-q', '-u');
      expect(existsSync(join(root, 'note.txt'))).toBe(false);
      git(root, 'stash', 'pop', '-q');
    });
    expect(changesOf(seen, root)).toEqual([]);
    expect(gitChangesOf(seen)).toEqual([]);
  });

  it('M40 charges nothing for gc and repack', async () => {
    const root = sampleRepository();
    git(root, 'branch', 'side');
    git(root, 'tag', '-a', 'v1', '-m', 'v1');
    const seen = await observe(root, () => {
      git(root, 'gc', '-q', '--prune=now');
      git(root, 'repack', '-adq');
      git(root, 'pack-refs', '--all');
    });
    expect(existsSync(join(root, '.git/refs/heads/side'))).toBe(false);
    expect(changesOf(seen, root)).toEqual([]);
    expect(gitChangesOf(seen)).toEqual([]);
  });

  it('M41 charges nothing for an index that status refreshed', async () => {
    const root = sampleRepository();
    utimesSync(join(root, 'src/a.ts'), 1_000, 1_000);
    const before = readFileSync(join(root, '.git/index'));
    const seen = await observe(root, () => void git(root, 'status'));
    expect(readFileSync(join(root, '.git/index')).equals(before)).toBe(false);
    expect(changesOf(seen, root)).toEqual([]);
    expect(gitChangesOf(seen)).toEqual([]);
  });
});

const MAP_AND_STORE = `
import mmap, os, sys
with open(sys.argv[1], "r+b") as f:
    m = mmap.mmap(f.fileno(), 0)
    m[0:1] = b"X"
    m.flush(); m.close()
`;

const HELD_MAPPING = `
import mmap, os, sys, time
f = open(sys.argv[1], "r+b")
m = mmap.mmap(f.fileno(), 0)
m[0:1] = m[0:1]
print("ready", flush=True)
while not os.path.exists(sys.argv[2]): time.sleep(0.005)
m[0:1] = b"Z"
`;
