import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readControlFile } from '../git/control-file.ts';
import type { ObservedGitChange, PathName } from '../model.ts';
import { type BytePath, forFileSystem, toPathName } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';

/** A repository whose objects are asked. */
export interface ObjectStore {
  readonly commonFolder: BytePath;
  readonly objectFormat: 'sha1' | 'sha256';
}

/**
 * Adds to each branch that moved whether it only advanced, and what its new commits change. Git is asked through a git folder of our own
 * (own configuration, no hooks, no attributes, no replacements) that borrows nothing but the object store, so that it runs no program of
 * the tree. Without a usable git the answer is null, never a guess.
 */
export function withAncestry(
  changes: readonly ObservedGitChange[],
  storeOf: (repository: string) => ObjectStore | undefined,
): readonly ObservedGitChange[] {
  return changes.map((change) => {
    if (change.what !== 'ref' || !change.name.startsWith('refs/heads/')) return change;
    const { before, after } = change;
    if (before === null || after === null || !isOid(before) || !isOid(after)) return change;
    const store = storeOf(change.repository);
    return store === undefined ? { ...change, advances: null } : { ...change, ...ask(store, before, after) };
  });
}

interface Ancestry {
  readonly advances: boolean | null;
  readonly committedPaths?: readonly PathName[];
}

function ask(store: ObjectStore, before: string, after: string): Ancestry {
  const scratch = mkdtempSync(join(tmpdir(), 'bailiwick-ancestry-'));
  try {
    prepare(scratch, store);
    const answer = git(scratch, store, ['merge-base', '--is-ancestor', before, after]);
    if (answer.status === 1) return { advances: false };
    if (answer.status !== 0) return { advances: null };
    const diff = git(scratch, store, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, after]);
    if (diff.status !== 0) return { advances: null };
    const paths = diff.stdout.toString('latin1').split('\0').slice(0, -1);
    return { advances: true, committedPaths: paths.map(toPathName) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function prepare(scratch: string, { commonFolder, objectFormat }: ObjectStore): void {
  mkdirSync(join(scratch, 'refs'));
  writeFileSync(join(scratch, 'HEAD'), 'ref: refs/heads/none\n');
  const extension = objectFormat === 'sha256' ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  // The commit graph is a cache that a worker could have written; the objects answer for themselves.
  writeFileSync(
    join(scratch, 'config'),
    `[core]\n\trepositoryFormatVersion = ${objectFormat === 'sha256' ? 1 : 0}\n\tbare = true\n\tcommitGraph = false\n${extension}`,
  );
  const shallow = readControlFile(joinBytes(commonFolder, 'shallow'));
  if (shallow.kind === 'bytes') writeFileSync(join(scratch, 'shallow'), shallow.bytes);
}

function git(
  scratch: string,
  { commonFolder }: ObjectStore,
  args: readonly string[],
): { status: number | null; stdout: Buffer } {
  const objects = forFileSystem(joinBytes(commonFolder, 'objects')).toString();
  const result = spawnSync('git', [...args], {
    cwd: scratch,
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin',
      HOME: scratch,
      LC_ALL: 'C',
      GIT_DIR: scratch,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 256 * 1024 * 1024,
    timeout: 60_000,
  });
  return { status: result.error === undefined ? result.status : null, stdout: result.stdout };
}

function isOid(value: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
