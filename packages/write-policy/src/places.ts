import { encodeFileName } from '@bailiwick/durable-files';
import { WritePolicyError } from './errors.ts';
import { foldName, isInsideFolded } from './paths/fold.ts';
import { namesBelow, sortedPaths } from './paths/path-name.ts';

/**
 * Folders that no policy grants, at any depth below a project root or worktree: version control's and our own. The
 * one exception is an invocation's own drop box; what `git: 'commit'` needs is judged by git's meaning, not by paths.
 */
export const NEVER_WRITABLE = ['.git', '.bailiwick'] as const;

const NEVER_FOLDED: ReadonlySet<string> = new Set(NEVER_WRITABLE.map(foldName));

/** Short names that NTFS (a Windows drive under WSL) makes for them. */
const NEVER_SHORT = /^(?:GIT|BAILIW)~[0-9]+$/;

/** Whether some file system takes a name for one of {@link NEVER_WRITABLE}: other case, trailing dots, streams, … */
export function isNeverName(name: string): boolean {
  const folded = foldName(name);
  return NEVER_FOLDED.has(folded) || NEVER_SHORT.test(folded);
}

/** `<project>/.bailiwick/out/<invocation>`: where an invocation puts all that it owes. */
export function dropBoxPath(o: { readonly projectRoot: string; readonly invocationRef: string }): string {
  return `${o.projectRoot}/.bailiwick/out/${encodeFileName(o.invocationRef)}`;
}

/** `<project>/.bailiwick/worktrees/<run>`: the worktree of a run that has its own. */
export function runWorktreePath(o: { readonly projectRoot: string; readonly runId: string }): string {
  return `${o.projectRoot}/.bailiwick/worktrees/${encodeFileName(o.runId)}`;
}

/** `<project>/.bailiwick/config.json`. */
export function projectConfigPath(projectRoot: string): string {
  return `${projectRoot}/.bailiwick/config.json`;
}

/** The names below a project root if they are a drop box or in one: the box's own name, else undefined. */
export function dropBoxName(names: readonly string[]): string | undefined {
  return names[0] === '.bailiwick' && names[1] === 'out' ? names[2] : undefined;
}

/** Whether the names below a project root are those of a run's worktree, or of a folder in it. */
export function isRunWorktree(names: readonly string[]): boolean {
  const [own, kind, run, ...inside] = names;
  return own === '.bailiwick' && kind === 'worktrees' && run !== undefined && !inside.some(isNeverName);
}

export interface OrchestratorPlaces {
  /** Where runs keep their state: `<git common dir>/bailiwick`, or the user's state folder without git. */
  readonly stateRoot: string;
  readonly projectRoot: string;
  readonly worktree: string;
  readonly gitCommonDir?: string;
}

/**
 * The one list of WP-4: every absolute path that the orchestrator or a supervisor writes (each with all below it),
 * sorted. No policy includes one, and an audit's snapshot leaves them out, since their owner records their digests
 * (MA-1). A drop box isn't among them: it is the worker's. Neither is a worktree's own copy of the config: nobody
 * writes that, and the audit must see it when somebody does.
 *
 * @throws WritePolicyError PATH_OF_ORCHESTRATOR when the list covers the project or the worktree: nothing would be left to audit
 */
export function orchestratorPaths(places: OrchestratorPlaces): readonly string[] {
  const list = sortedPaths([
    places.stateRoot,
    projectConfigPath(places.projectRoot),
    ...(places.gitCommonDir === undefined ? [] : [`${places.gitCommonDir}/bailiwick`]),
  ]);
  for (const root of [places.projectRoot, places.worktree]) {
    const owner = list.find((path) => isInsideFolded(root, path));
    if (owner !== undefined) {
      throw new WritePolicyError(
        'PATH_OF_ORCHESTRATOR',
        `${root} lies in ${owner}, where the orchestrator keeps its state`,
        {
          path: root,
          hint: 'keep projects and worktrees out of the state folder',
        },
      );
    }
  }
  return list;
}

/** Whether a never-writable name lies on the way from a root down to a path in it. */
export function crossesNever(path: string, root: string): boolean {
  return namesBelow(path, root).some(isNeverName);
}
