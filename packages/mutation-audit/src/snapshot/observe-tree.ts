import { GitReader, type GitReading } from '../git/read-states.ts';
import { TrackedFiles } from '../git/tracked-files.ts';
import { IgnoreRules, type IgnoreSource } from '../ignore/ignore-rules.ts';
import { readIgnoreSources } from '../ignore/read-sources.ts';
import type { BytePath } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import type { WalkProblem } from '../tree/folder-reader.ts';
import { type FolderTable, mergeParts } from '../tree/folder-table.ts';
import { SharedQueue } from '../tree/shared-queue.ts';
import type { CheckedRoot } from './check-roots.ts';

/** A tree and its git state as they stand. */
export interface TreeView {
  readonly table: FolderTable;
  readonly problems: readonly WalkProblem[];
  readonly gitEntries: readonly BytePath[];
  readonly git: GitReading;
  readonly tracked: TrackedFiles;
  readonly ignoreSources: readonly IgnoreSource[];
  readonly ignore: IgnoreRules;
}

/** The repositories at or above the roots: what can be read of git before the walk. */
export async function readRootRepositories(
  roots: readonly CheckedRoot[],
  exclude: readonly BytePath[],
  crew: Crew,
): Promise<GitReader> {
  const git = new GitReader(new Set(exclude), crew);
  await git.addRoots(gitRoots(roots));
  return git;
}

/** Walks the roots with all threads, and reads the rest of git's control files and the ignore rules. */
export async function observeTree(
  roots: readonly CheckedRoot[],
  exclude: readonly BytePath[],
  crew: Crew,
  known?: GitReader,
): Promise<TreeView> {
  const git = known ?? (await readRootRepositories(roots, exclude, crew));
  const walked = roots.filter(({ isWalked }) => isWalked).map(({ path }) => path);
  const queue = SharedQueue.of(walked, crew.queueBytes);
  const limits = { exclude, plainRoots: roots.filter(({ git }) => git === 'none').map(({ path }) => path) };
  const tracked = new TrackedFiles();
  const parts = await crew.run<'walk'>({ kind: 'walk', queue: queue.memory, limits }, async () => {
    tracked.add(git);
  });
  const gitEntries = parts.flatMap((part) => part.gitEntries).sort();
  await crew.pause();
  await git.addEntries(gitEntries);
  await git.finish();
  const ignoreFiles = parts.flatMap((part) => part.ignoreFiles);
  const ignoreSources = readIgnoreSources(git.states, ignoreFiles, { roots: gitRoots(roots), ownTrees: git.ownTrees });
  const table = await mergeParts(parts, crew.memory, () => crew.pause());
  return {
    table,
    problems: parts.flatMap((part) => part.problems),
    gitEntries,
    git,
    tracked: tracked.add(git),
    ignoreSources,
    ignore: new IgnoreRules(ignoreSources),
  };
}

function gitRoots(roots: readonly CheckedRoot[]): readonly BytePath[] {
  return roots.filter(({ git }) => git === 'auto').map(({ path }) => path);
}
