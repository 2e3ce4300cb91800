import { posix } from 'node:path';

/** Where a worktree's git keeps its things, as found out by the caller. */
export interface GitCommitFacts {
  /** Absolute: `.git` of a main checkout, `<common>/worktrees/<name>` of a linked one. */
  readonly gitDir: string;
  /** Absolute: where objects and branches are. */
  readonly commonDir: string;
  /** The branch that may advance, without `refs/heads/`; without it any branch in `refs/heads` could. */
  readonly branch?: string;
  /** Default `files`. */
  readonly refFormat?: 'files' | 'reftable';
}

export interface GitCommitPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** What runs code, redirects git or belongs to somebody else, below the folder that an index and HEAD need open. */
const CLOSED_IN_MAIN = [
  'bailiwick',
  'config',
  'config.worktree',
  'hooks',
  'info',
  'modules',
  'packed-refs',
  'worktrees',
];
const CLOSED_IN_LINKED = ['commondir', 'config.worktree', 'gitdir'];

/**
 * What a commit on the own branch needs open, and what stays closed in it. Git locks a file by making `<file>.lock`
 * beside it, so folders must be open where one file changes: other branches in the branch's folder, the index and
 * HEAD can't be held by a boundary, and the audit judges them (MA-12).
 */
export function gitCommitPlaces(facts: GitCommitFacts): GitCommitPlaces {
  const { gitDir, commonDir } = facts;
  const linked = gitDir !== commonDir;
  const refs = facts.refFormat === 'reftable' ? ['reftable'] : branchFolders(facts.branch);
  const inCommon = ['objects', ...refs].map((name) => `${commonDir}/${name}`);
  const closed = linked ? CLOSED_IN_LINKED : [...CLOSED_IN_MAIN, 'refs', 'logs/refs'];
  return {
    writable: [gitDir, ...inCommon],
    readOnly: [...closed.map((name) => `${gitDir}/${name}`), `${commonDir}/objects/info`],
  };
}

function branchFolders(branch: string | undefined): readonly string[] {
  const folder = branch === undefined ? 'refs/heads' : posix.dirname(`refs/heads/${branch}`);
  return [folder, `logs/${folder}`];
}
