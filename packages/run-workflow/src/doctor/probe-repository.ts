import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitCommitFacts } from '@bailiwick/dispatch';
import { buildWritePolicy, type GitCommitFacts, pathsToResolve, type WritePolicy } from '@bailiwick/write-policy';
import { execa } from 'execa';

/** A repository with a linked worktree where runs have theirs, and with an implementer's policy that may commit. */
export interface ProbeRepository {
  readonly worktree: string;
  readonly policy: WritePolicy;
  readonly git: GitCommitFacts;
  /** A folder beside it that doesn't exist yet, for the HOME of whoever works there. */
  readonly ownFolder: string;
  /** Whether the worktree's branch has another commit than at first, as seen from outside. */
  hasNewCommit(): Promise<boolean>;
}

const BRANCH = 'commit-test';
const GIT_TIMEOUT_MS = 10_000;
/** Else every commit starts a program that looks for what could be packed. */
const NO_MAINTENANCE = ['-c', 'maintenance.auto=false'];

/** Makes one where confined attempts have their folders, lends it, and takes it away again. The user's repository is never looked at. */
export async function withProbeRepository<T>(
  o: { readonly attemptsFolder: string; readonly path: string },
  use: (repository: ProbeRepository) => Promise<T>,
): Promise<T> {
  await mkdir(o.attemptsFolder, { recursive: true, mode: 0o700 });
  const folder = await realpath(await mkdtemp(join(o.attemptsFolder, 'commit-test-')));
  try {
    return await use(await makeRepository(folder, o.path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeRepository(folder: string, path: string): Promise<ProbeRepository> {
  const projectRoot = join(folder, 'project');
  const worktree = join(projectRoot, '.bailiwick', 'worktrees', BRANCH);
  const git = gitIn(folder, path);
  await git('init', '--quiet', projectRoot);
  await git('-C', projectRoot, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  await git('-C', projectRoot, 'worktree', 'add', '--quiet', '-b', BRANCH, worktree);
  const facts = await gitCommitFacts(worktree, join(projectRoot, '.git'));
  if (facts === undefined) throw new Error(`git made no worktree in ${worktree}`);
  const tip = (): Promise<string> => git('-C', projectRoot, 'rev-parse', `refs/heads/${BRANCH}`);
  const before = await tip();
  return {
    worktree,
    policy: policyOf(projectRoot, worktree),
    git: facts,
    ownFolder: join(folder, 'own'),
    hasNewCommit: async () => (await tip()) !== before,
  };
}

function policyOf(projectRoot: string, worktree: string): WritePolicy {
  const request = { role: 'implementer', projectRoot, worktree, git: 'commit', orchestrator: [] } as const;
  return buildWritePolicy({
    ...request,
    facts: { realPathOf: new Map(pathsToResolve(request).map((at) => [at, at])) },
  });
}

/** No variable, template, hook or setting of the user's reaches it, so that none can lead it to another repository. */
function gitIn(folder: string, path: string): (...args: readonly string[]) => Promise<string> {
  const env = { PATH: path, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...AUTHOR };
  return async (...args) => {
    const options = { cwd: folder, env, extendEnv: false, timeout: GIT_TIMEOUT_MS, stdin: 'ignore' } as const;
    return (await execa('git', [...NO_MAINTENANCE, ...args], options)).stdout;
  };
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'Bailiwick',
  GIT_AUTHOR_EMAIL: 'doctor@bailiwick.invalid',
  GIT_COMMITTER_NAME: 'Bailiwick',
  GIT_COMMITTER_EMAIL: 'doctor@bailiwick.invalid',
};
