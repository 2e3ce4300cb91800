import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFolder } from '@bailiwick/durable-files';
import type { GitCommitFacts } from '@bailiwick/write-policy';

/**
 * Where the git of a worktree keeps its things, read without running git: its configuration may be anybody's. Undefined
 * where there is no repository that can be understood.
 */
export async function gitCommitFacts(worktree: string, commonDir: string): Promise<GitCommitFacts | undefined> {
  const gitDir = await gitDirOf(join(worktree, '.git'));
  if (gitDir === undefined) return undefined;
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  const branch = /^ref: refs\/heads\/(\S+)\s*$/.exec(head)?.[1];
  const isReftable = await isFolder(join(commonDir, 'reftable'));
  return {
    gitDir,
    commonDir,
    ...(branch === undefined ? {} : { branch }),
    ...(isReftable ? { refFormat: 'reftable' as const } : {}),
  };
}

async function gitDirOf(dotGit: string): Promise<string | undefined> {
  const real = await realpath(dotGit).catch(() => dotGit);
  if (await isFolder(real)) return real;
  const text = await readFile(dotGit, 'utf8').catch(() => '');
  const target = /^gitdir: (.+?)\s*$/s.exec(text)?.[1];
  return target === undefined ? undefined : realpath(resolve(dotGit, '..', target)).catch(() => undefined);
}
