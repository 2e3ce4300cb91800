import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesOf, gitChangesOf, observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

describe('changes of git state', () => {
  it('M19 sees an edited configuration', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void git(root, 'config', 'core.pager', 'evil'));
    expect(gitChangesOf(seen)).toEqual(['config config']);
    expect(seen.git[0]).toMatchObject({ root, nested: false, path: join(root, '.git/config') });
  });

  it('M20 sees an added hook', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      write(root, '.git/hooks/pre-commit', '#!/bin/sh\n');
      chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
    });
    expect(gitChangesOf(seen)).toEqual(['hook hooks/pre-commit']);
    expect(seen.git[0]).toMatchObject({ path: join(root, '.git/hooks/pre-commit') });
  });

  it('M20 sees a hook that was only made executable', async () => {
    const root = sampleRepository();
    write(root, '.git/hooks/pre-commit', '#!/bin/sh\n');
    chmodSync(join(root, '.git/hooks/pre-commit'), 0o644);
    const seen = await observe(root, () => chmodSync(join(root, '.git/hooks/pre-commit'), 0o755));
    expect(gitChangesOf(seen)).toEqual(['hook hooks/pre-commit']);
  });

  it('M21 sees a ref that was made, loose or packed', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      git(root, 'branch', 'side');
      git(root, 'tag', 'v1');
      git(root, 'pack-refs', '--all');
    });
    const tip = git(root, 'rev-parse', 'HEAD').trim();
    expect(seen.git.map(({ name, before, after }) => `${name}: ${before} → ${after}`).toSorted()).toEqual([
      `refs/heads/side: null → ${tip}`,
      `refs/tags/v1: null → ${tip}`,
    ]);
  });

  it('M22 sees HEAD moved to a commit', async () => {
    const root = sampleRepository();
    const tip = git(root, 'rev-parse', 'HEAD').trim();
    const seen = await observe(root, () => void git(root, 'checkout', '-q', '--detach'));
    expect(seen.git.map(({ what, before, after }) => [what, before, after])).toEqual([
      ['head', 'ref: refs/heads/main', tip],
    ]);
  });

  it('M23 sees a branch switched on the same commit', async () => {
    const root = sampleRepository();
    git(root, 'branch', 'side');
    const seen = await observe(root, () => void git(root, 'checkout', '-q', 'side'));
    expect(gitChangesOf(seen)).toEqual(['head HEAD']);
    expect(changesOf(seen, root)).toEqual([]);
  });

  it('M24 sees a change of an index entry alone', async () => {
    const root = sampleRepository();
    const blob = git(root, 'rev-parse', 'HEAD:src/b.ts').trim();
    const seen = await observe(root, () => void git(root, 'update-index', '--cacheinfo', `100644,${blob},src/a.ts`));
    expect(gitChangesOf(seen)).toEqual(['index src/a.ts']);
    expect(seen.git[0]?.after).toBe(`100644 ${blob}`);
    expect(changesOf(seen, root)).toEqual([]);
  });

  it('M25 sees an edit behind assume-unchanged, and the flag', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      git(root, 'update-index', '--assume-unchanged', 'src/a.ts');
      appendFileSync(join(root, 'src/a.ts'), '// hidden\n');
    });
    expect(git(root, 'status', '--porcelain', '-uno')).toBe('');
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(seen.git[0]?.after).toMatch(/ a$/);
  });

  it('M26 sees an edit behind skip-worktree, and the flag', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      git(root, 'update-index', '--skip-worktree', 'src/a.ts');
      appendFileSync(join(root, 'src/a.ts'), '// hidden\n');
    });
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(seen.git[0]?.after).toMatch(/ s$/);
  });

  it('M27 sees a new file that info/exclude hides, by the rules of the baseline', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      appendFileSync(join(root, '.git/info/exclude'), 'hidden.ts\n');
      write(root, 'hidden.ts', 'x');
      appendFileSync(join(root, '.gitignore'), 'hidden2.ts\n');
      write(root, 'hidden2.ts', 'x');
    });
    expect(gitChangesOf(seen)).toEqual(['exclude info/exclude']);
    expect(changesOf(seen, root)).toEqual(['modified .gitignore', 'created hidden.ts', 'created hidden2.ts']);
    expect(seen.changes.map(({ ignored }) => ignored)).toEqual([false, false, false]);
  });

  it('M28 sees a mode that core.fileMode hides from git', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      git(root, 'config', 'core.fileMode', 'false');
      chmodSync(join(root, 'src/a.ts'), 0o755);
    });
    expect(changesOf(seen, root)).toEqual(['mode src/a.ts']);
    expect(gitChangesOf(seen)).toEqual(['config config']);
  });

  it('M29 sees an edit that a lax core.checkStat hides from git', async () => {
    const root = sampleRepository();
    git(root, 'config', 'core.checkStat', 'minimal');
    git(root, 'config', 'core.trustctime', 'false');
    const seen = await observe(root, () => writeFileSync(join(root, 'src/a.ts'), 'export const a = 9;\n'));
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(gitChangesOf(seen)).toEqual([]);
  });

  it('M30 sees an edit in a nested repository', async () => {
    const root = sampleRepository();
    const nested = nestedRepository(root);
    const seen = await observe(root, () => appendFileSync(join(nested, 'n.txt'), 'more\n'));
    expect(changesOf(seen, root)).toEqual(['modified sub/n.txt']);
    expect(seen.changes[0]).toMatchObject({ tracked: true, ignored: false });
  });

  it('M31 sees a commit in a nested repository', async () => {
    const root = sampleRepository();
    const nested = nestedRepository(root);
    const seen = await observe(root, () => void git(nested, 'commit', '-q', '--allow-empty', '-m', 'more'));
    expect(gitChangesOf(seen)).toEqual(['ref refs/heads/main']);
    expect(seen.git[0]).toMatchObject({ root: nested, nested: true });
  });

  it('M34 is not led away by core.worktree', async () => {
    const root = sampleRepository();
    const elsewhere = tempFolder();
    const seen = await observe(root, () => {
      git(root, 'config', 'core.worktree', elsewhere);
      appendFileSync(join(root, 'src/a.ts'), '// more\n');
    });
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
    expect(gitChangesOf(seen)).toEqual(['config config']);
  });

  it('M35 sees an edit that a lying fsmonitor hides from git', async () => {
    const root = sampleRepository();
    const liar = write(tempFolder(), 'liar', '#!/bin/sh\nprintf "token\\0"\n');
    chmodSync(liar, 0o755);
    git(root, 'config', 'core.fsmonitor', liar);
    git(root, 'status');
    const seen = await observe(root, () => appendFileSync(join(root, 'src/a.ts'), '// hidden\n'));
    expect(changesOf(seen, root)).toEqual(['modified src/a.ts']);
  });

  it('MA-12 sees a stash that was dropped, though it was not the newest', async () => {
    const root = sampleRepository();
    for (const text of ['one', 'two']) {
      writeFileSync(join(root, 'src/a.ts'), text);
      git(root, 'stash', 'push', '-q');
    }
    const seen = await observe(root, () => void git(root, 'stash', 'drop', '-q', 'stash@{1}'));
    expect(gitChangesOf(seen)).toEqual(['stash refs/stash']);
  });

  it("MA-12 sees an operation left in progress and a file that is none of git's", async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      write(root, '.git/MERGE_HEAD', `${git(root, 'rev-parse', 'HEAD')}`);
      write(root, '.git/payload/x', 'x');
      write(root, '.git/COMMIT_EDITMSG', 'message\n');
      write(root, '.git/FETCH_HEAD', '');
    });
    expect(gitChangesOf(seen).toSorted()).toEqual(['file payload/x', 'operation MERGE_HEAD']);
  });

  it('MA-12 sees the whole repository moved away', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => renameSync(join(root, '.git'), join(root, 'git-was-here')));
    expect(gitChangesOf(seen)).toEqual([`repository ${join(root, '.git')}`]);
  });

  it('MA-11 sees a repository that was made in the tree, once', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => void nestedRepository(root));
    expect(gitChangesOf(seen)).toEqual([`repository ${join(root, 'sub/.git')}`]);
    expect(changesOf(seen, root)).toEqual(['created sub', 'created sub/n.txt']);
  });

  it('MA-11 sees a submodule edited, committed and its hook added', async () => {
    const root = sampleRepository();
    const origin = sampleRepository();
    git(root, 'submodule', 'add', '-q', origin, 'mod');
    git(root, 'commit', '-q', '-m', 'mod');
    const seen = await observe(root, () => {
      appendFileSync(join(root, 'mod/src/a.ts'), '// more\n');
      git(join(root, 'mod'), 'commit', '-q', '-a', '-m', 'more');
      write(root, '.git/modules/mod/hooks/pre-commit', '#!/bin/sh\n');
    });
    expect(changesOf(seen, root)).toEqual(['modified mod/src/a.ts']);
    const own = seen.git.filter(({ root: at }) => at === join(root, 'mod'));
    expect(own.map(({ what }) => what).toSorted()).toEqual(['hook', 'index', 'ref']);
    expect(seen.git).toHaveLength(3);
  });

  it('MA-12 tells of a branch that moved whether it advanced, and what its commits change', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      appendFileSync(join(root, 'src/a.ts'), '// more\n');
      git(root, 'commit', '-q', '-a', '-m', 'more');
    });
    const branch = seen.git.find(({ what }) => what === 'ref');
    expect(branch).toMatchObject({ name: 'refs/heads/main', advances: true, committedPaths: ['src/a.ts'] });
    const rewritten = await observe(root, () => void git(root, 'commit', '-q', '--amend', '-m', 'other'));
    expect(rewritten.git.find(({ what }) => what === 'ref')).toMatchObject({ advances: false });
  });

  it('MA-12 works on a SHA-256 repository', async () => {
    const root = sampleRepository({ objectFormat: 'sha256' });
    const seen = await observe(root, () => {
      appendFileSync(join(root, 'src/a.ts'), '// more\n');
      git(root, 'commit', '-q', '-a', '-m', 'more');
    });
    expect(seen.changes[0]?.beforeDigest).toMatch(/^git-sha256:[0-9a-f]{64}$/);
    expect(seen.git.find(({ what }) => what === 'ref')).toMatchObject({ advances: true });
    expect(seen.git.find(({ what }) => what === 'index')?.name).toBe('src/a.ts');
  });

  it('MA-1 observes the main checkout and a linked work tree together', async () => {
    const root = sampleRepository();
    const linked = join(tempFolder(), 'linked');
    git(root, 'worktree', 'add', '-q', '-b', 'run', linked);
    const roots = [
      { path: root, git: 'auto' },
      { path: linked, git: 'auto' },
    ] as const;
    const quiet = await observe(root, () => undefined, { roots });
    expect(quiet).toMatchObject({ changes: [], git: [], unverifiable: [] });
    const seen = await observe(
      root,
      () => {
        appendFileSync(join(linked, 'src/a.ts'), '// linked\n');
        git(linked, 'commit', '-q', '-a', '-m', 'linked');
        appendFileSync(join(root, 'src/b.ts'), '// main\n');
      },
      { roots },
    );
    const rootOf = new Map(seen.changes.map(({ root: at, path }) => [path, at]));
    expect(rootOf).toEqual(
      new Map([
        [join(linked, 'src/a.ts'), linked],
        [join(root, 'src/b.ts'), root],
      ]),
    );
    expect(seen.git.find(({ what }) => what === 'index')?.root).toBe(linked);
    expect(seen.git.find(({ name }) => name === 'refs/heads/run')?.advances).toBe(true);
  });

  it("MA-1 leaves the orchestrator's own folder in the git folder out", async () => {
    const root = sampleRepository();
    const state = join(root, '.git/bailiwick');
    mkdirSync(state);
    const seen = await observe(root, () => void write(state, 'runs/r/record.json', '{}'), { exclude: [state] });
    expect(seen.git).toEqual([]);
  });

  it('MA-12 works in a repository without commits and in a folder without git', async () => {
    const root = join(tempFolder(), 'fresh');
    mkdirSync(root);
    git(root, 'init', '-q', '-b', 'main');
    write(root, 'a.txt', 'a');
    const seen = await observe(root, () => {
      write(root, 'a.txt', 'b');
      git(root, 'add', 'a.txt');
    });
    expect(changesOf(seen, root)).toEqual(['modified a.txt']);
    expect(gitChangesOf(seen)).toEqual(['index a.txt']);
    rmSync(join(root, '.git'), { recursive: true });
    const plain = await observe(root, () => void write(root, 'a.txt', 'c'));
    expect(changesOf(plain, root)).toEqual(['modified a.txt']);
    expect(plain.git).toEqual([]);
    expect(existsSync(join(root, '.git'))).toBe(false);
  });

  it('MA-12 finds the repository of a subfolder, with the rules above it', async () => {
    const root = sampleRepository();
    const part = join(root, 'src');
    const seen = await observe(part, () => {
      write(part, 'new.log', 'x');
      appendFileSync(join(part, 'a.ts'), '// more\n');
      git(root, 'branch', 'side');
    });
    expect(seen.changes.map(({ path, ignored, tracked }) => [path, ignored, tracked])).toEqual([
      [join(part, 'a.ts'), false, true],
      [join(part, 'new.log'), true, false],
    ]);
    expect(gitChangesOf(seen)).toEqual(['ref refs/heads/side']);
  });

  it('MA-11 works with a sparse checkout and with index version 4', async () => {
    const root = sampleRepository();
    git(root, 'sparse-checkout', 'set', '--no-cone', 'run.sh');
    git(root, 'update-index', '--index-version', '4');
    expect(readFileSync(join(root, '.git/index')).readUInt32BE(4)).toBe(4);
    const seen = await observe(root, () => {
      appendFileSync(join(root, 'run.sh'), '# more\n');
      git(root, 'add', 'run.sh');
    });
    expect(changesOf(seen, root)).toEqual(['modified run.sh']);
    expect(seen.changes[0]?.beforeDigest).toMatch(/^git-sha1:/);
    expect(gitChangesOf(seen)).toEqual(['index run.sh']);
  });
});

function nestedRepository(root: string): string {
  const nested = join(root, 'sub');
  mkdirSync(nested);
  git(nested, 'init', '-q', '-b', 'main');
  write(nested, 'n.txt', 'n\n');
  git(nested, 'add', '-A');
  git(nested, 'commit', '-q', '-m', 'n');
  return nested;
}
