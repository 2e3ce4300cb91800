import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RunError } from '../errors.ts';
import { askGit } from './git.ts';

/** SHA-1 or SHA-256, as git prints it. */
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A folder whose tree workers change, and where the state of its runs lies. */
export interface Project {
  /** Absolute and real. */
  readonly root: string;
  /** Shared by all worktrees of the repository; null where the project isn't in git. */
  readonly gitCommonDirectory: string | null;
  /** What HEAD points to; null without git or before the first commit. */
  readonly headCommit: string | null;
  /** Where runs are kept: out of reach of `git clean`, `stash -u` and every worker. */
  readonly stateRoot: string;
}

/**
 * The project to work in: the folder that is named, else the git top level above `cwd`. A folder without git must be named,
 * and keeps its runs below `userStateFolder`.
 */
export async function findProject(o: {
  readonly cwd: string;
  readonly projectPath?: string;
  readonly userStateFolder: string;
}): Promise<Project> {
  const folder = await existingFolder(resolve(o.cwd, o.projectPath ?? '.'));
  refuseControlCharacters(folder);
  const git = await locateGit(folder);
  if (git === null) {
    if (o.projectPath === undefined) throw notARepository(folder);
    return {
      root: folder,
      gitCommonDirectory: null,
      headCommit: null,
      stateRoot: stateBelow(o.userStateFolder, folder),
    };
  }
  const root = o.projectPath === undefined ? git.topLevel : folder;
  const stateRoot = join(git.commonDirectory, 'bailiwick', ...subfolderKey(git.topLevel, root));
  return { root, gitCommonDirectory: git.commonDirectory, headCommit: git.headCommit, stateRoot };
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return realpath(path);
  throw new RunError(
    'PROJECT_MISSING',
    found === undefined ? 'the project folder does not exist' : 'the project is no folder',
    {
      path,
      hint: 'name an existing folder with --project',
    },
  );
}

/** Paths stand in prompts, one to a line, and in policies: one that can end a line would say something else there. */
function refuseControlCharacters(path: string): void {
  if (!/[\p{Cc}\u2028\u2029]/u.test(path)) return;
  throw new RunError('PROJECT_PATH_UNSUPPORTED', "the project's path holds a line break or another control character", {
    path: JSON.stringify(path),
    hint: 'rename the folder, or work in a clone at another place',
  });
}

interface GitPlace {
  readonly topLevel: string;
  readonly commonDirectory: string;
  readonly headCommit: string | null;
}

/** All in one call, since each costs what a short command costs; before the first commit the last question has no answer. */
const PLACE_QUESTIONS = [
  '--is-bare-repository',
  '--is-inside-work-tree',
  '--git-common-dir',
  '--show-toplevel',
  'HEAD^{commit}',
];

async function locateGit(folder: string): Promise<GitPlace | null> {
  const { stdout, stderr } = await askGit(folder, ['rev-parse', ...PLACE_QUESTIONS]);
  if (stdout === '') return refuseUnlessAbsent(stderr, folder);
  const [isBare, isInside, commonDirectory = '', topLevel = '', head = ''] = stdout.split('\n');
  if (isBare === 'true' || isInside !== 'true')
    throw new RunError(
      'BARE_REPOSITORY',
      'the repository has no work tree here, so there is nothing that workers could change',
      {
        path: folder,
        hint: 'clone it, or add a worktree with `git worktree add`',
      },
    );
  return {
    topLevel: await realpath(topLevel),
    commonDirectory: await realpath(resolve(folder, commonDirectory)),
    headCommit: OBJECT_ID.test(head) ? head : null,
  };
}

/** Only "there is no repository" means no git; anything else (unsafe ownership, a broken repository) is said. */
function refuseUnlessAbsent(stderr: string, folder: string): null {
  if (/not a git repository/i.test(stderr)) return null;
  throw new RunError('GIT_FAILED', `git can't read the repository: ${stderr.split('\n')[0] ?? ''}`, { path: folder });
}

function notARepository(folder: string): RunError {
  return new RunError('NOT_A_REPOSITORY', 'not inside a git repository', {
    path: folder,
    hint: 'run `git init` first, or name a folder without git with --project DIR',
  });
}

/** A monorepo's subfolder that is used as a project of its own has runs of its own. */
function subfolderKey(topLevel: string, root: string): readonly string[] {
  return root === topLevel ? [] : ['projects', keyOf(root)];
}

function stateBelow(userStateFolder: string, folder: string): string {
  return join(userStateFolder, 'bailiwick', 'projects', keyOf(folder));
}

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
