import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWithSnapshot, displayPath, takeSnapshot } from '../src/index.ts';
import { observe } from './support/audit-run.ts';
import { git, sampleRepository, tempFolder, write } from './support/git-tree.ts';

/** What git itself ignores among paths, tracked ones left aside. */
function ignoredByGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  try {
    const out = execFileSync('git', ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: root,
      input: paths.map((path) => `${path}\0`).join(''),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return new Set(out.split('\0').slice(0, -1));
  } catch {
    return new Set();
  }
}

const name = fc.constantFrom('a', 'b', 'ab', 'abc', 'a.log', 'x.ts', 'foo', 'bar', '[z]', 'a b', 'é');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '*',
  '**',
  'a*',
  '*.log',
  '?',
  '[ab]',
  '[!a]',
  '[a-c]c',
  '*b*',
  'foo',
  '\\a',
  '[[:alpha:]]',
  'é',
  'a b',
  '[',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!', '/'),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', ' '),
  )
  .map(([before, pieces, after]) => before + pieces.join('/') + after);

describe('ignore rules', () => {
  it('WP-10 ignores exactly what git ignores, for any patterns and paths', async () => {
    const root = join(tempFolder(), 'tree');
    mkdirSync(root);
    git(root, 'init', '-q');
    await fc.assert(
      fc.asyncProperty(
        fc.array(pattern, { maxLength: 5 }),
        fc.array(pattern, { maxLength: 3 }),
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        async (top, deeper, paths) => {
          execFileSync('find', [
            root,
            '-mindepth',
            '1',
            '-maxdepth',
            '1',
            '!',
            '-name',
            '.git',
            '-exec',
            'rm',
            '-rf',
            '{}',
            '+',
          ]);
          write(root, '.gitignore', `${top.join('\n')}\n`);
          write(root, 'a/.gitignore', `${deeper.join('\n')}\n`);
          const snapshotPath = join(tempFolder(), 's.snap');
          await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
          const files = paths.filter((file) => makeFile(root, file));
          const seen = await compareWithSnapshot({ snapshotPath });
          const wanted = ignoredByGit(root, files);
          const made = seen.changes.filter(({ fileType, kind }) => fileType === 'file' && kind === 'created');
          const got = new Set(
            made.filter(({ ignored }) => ignored).map(({ path: full }) => displayPath(full).slice(root.length + 1)),
          );
          expect(got).toEqual(wanted);
        },
      ),
      // The example is a `/` inside a bracket, which cuts nothing.
      { numRuns: 25, examples: [[['[/[[:alpha:]]'], [], ['a/a', 'a']]] },
    );
  }, 120_000);

  it('WP-10 takes a tracked file as never ignored', async () => {
    const root = sampleRepository();
    write(root, 'kept.log', 'x');
    git(root, 'add', '-f', 'kept.log');
    git(root, 'commit', '-q', '-m', 'kept');
    const seen = await observe(root, () => void write(root, 'kept.log', 'y'));
    expect(seen.changes[0]).toMatchObject({ ignored: false, tracked: true });
  });

  it('WP-10 is not stalled by a hostile pattern', async () => {
    const root = sampleRepository();
    write(root, '.gitignore', `${'*a'.repeat(60)}b\n${'**/a'.repeat(40)}/b\n`);
    const seen = await observe(root, () => void write(root, `${'a'.repeat(200)}/${'a/'.repeat(60)}x`, 'x'));
    expect(seen.changes.every(({ ignored }) => !ignored)).toBe(true);
  });
});

function makeFile(root: string, file: string): boolean {
  try {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    write(root, file, 'x');
    return true;
  } catch {
    // A name that is already the other kind of entry.
    return false;
  }
}
