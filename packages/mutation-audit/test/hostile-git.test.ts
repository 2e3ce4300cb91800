import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

/** A repository in which every place that can name a program names one that leaves a mark. */
function hostileRepository(): { root: string; marks: string } {
  const root = sampleRepository();
  const marks = tempFolder('marks');
  const program = (name: string, body: string): string => {
    const path = write(marks, `bin/${name}`, `#!/bin/sh\ntouch '${marks}/ran-${name}'\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  write(root, '.gitattributes', '* filter=evil diff=evil merge=evil\n');
  const settings = {
    'core.fsmonitor': program('fsmonitor', 'printf "token\\0/\\0"'),
    'core.pager': program('pager', 'cat'),
    'core.editor': program('editor', ''),
    'core.sshCommand': program('ssh', 'exit 1'),
    'filter.evil.clean': program('clean', 'cat'),
    'filter.evil.smudge': program('smudge', 'cat'),
    'filter.evil.process': program('process', 'exit 1'),
    'diff.evil.textconv': program('textconv', 'cat "$1"'),
    'diff.evil.command': program('diffcommand', ''),
    'diff.external': program('external', ''),
    'merge.evil.driver': program('driver', 'exit 1'),
    'credential.helper': program('credential', ''),
    'gpg.program': program('gpg', 'exit 1'),
  };
  for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value);
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'post-checkout',
    'reference-transaction',
    'fsmonitor-watchman',
  ]) {
    const path = write(root, `.git/hooks/${hook}`, `#!/bin/sh\ntouch '${marks}/ran-hook-${hook}'\n`);
    chmodSync(path, 0o755);
  }
  return { root, marks };
}

function ranIn(marks: string): readonly string[] {
  return readdirSync(marks).filter((name) => name.startsWith('ran-'));
}

function forget(marks: string): void {
  for (const name of ranIn(marks)) rmSync(join(marks, name));
}

describe('a hostile repository', () => {
  it('MA-12 has no program run by snapshot or comparison, though plain git runs them', async () => {
    const { root, marks } = hostileRepository();
    const seen = await observe(root, () => {
      write(root, 'src/a.ts', 'export const a = 9;\n');
      const commit = git(root, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'moved').trim();
      git(root, 'update-ref', 'refs/heads/main', commit);
      expect(ranIn(marks)).toContain('ran-hook-reference-transaction');
      forget(marks);
    });
    expect(ranIn(marks)).toEqual([]);
    expect(seen.changes.map(({ path }) => path)).toEqual([join(root, 'src/a.ts')]);
    expect(seen.git.find(({ what }) => what === 'ref')).toMatchObject({ advances: true });
    write(root, 'src/b.ts', 'export const b = 9;\n');
    expect(() => git(root, 'status')).toThrow();
    expect(ranIn(marks)).toEqual(expect.arrayContaining(['ran-fsmonitor', 'ran-process']));
    git(root, 'config', '--unset', 'filter.evil.process');
    git(root, 'status');
    git(root, 'diff', '--no-ext-diff');
    git(root, 'diff');
    git(root, 'add', 'src/b.ts');
    expect(ranIn(marks)).toEqual(
      expect.arrayContaining(['ran-clean', 'ran-textconv', 'ran-diffcommand', 'ran-hook-post-index-change']),
    );
  });

  it('MA-12 reads no file of a git folder through a link and waits on no pipe', async () => {
    const root = sampleRepository();
    const seen = await observe(root, () => {
      renameSync(join(root, '.git/HEAD'), join(root, '.git/ORIG_HEAD'));
      symlinkSync('ORIG_HEAD', join(root, '.git/HEAD'));
      execFileSync('mkfifo', [join(root, '.git/MERGE_HEAD')]);
      rmSync(join(root, '.git/index'));
      execFileSync('mkfifo', [join(root, '.git/index')]);
    });
    expect(seen.git.map(({ what, after }) => [what, after])).toEqual([
      ['head', 'link: ORIG_HEAD'],
      ['operation', 'special file'],
    ]);
    expect(seen.unverifiable.map(({ path }) => path)).toEqual([join(root, '.git/index')]);
  });
});
