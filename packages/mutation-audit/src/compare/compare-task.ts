import { createHash } from 'node:crypto';
import type { Digest } from '@bailiwick/durable-files';
import { GitReader } from '../git/read-states.ts';
import type { ObservedGitChange } from '../model.ts';
import { displayPath, toPathName } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import type { AuditTask, ObservationFrame, ObservationSlice } from '../thread/protocol.ts';
import { withAncestry } from './ancestry.ts';
import { Baseline } from './baseline.ts';
import { projectGit } from './git-projection.ts';
import { lookAgain } from './look-again.ts';
import { observeChanges, type TreeChanges } from './observe-changes.ts';
import { type GitSide, observeGit } from './observe-git.ts';
import { readSnapshot } from './read-snapshot.ts';

/** Compares a tree with its snapshot; lists go out in slices. Throws SNAPSHOT_MISSING, SNAPSHOT_DAMAGED, SNAPSHOT_NEWER_VERSION. */
export async function compareTask(
  task: Extract<AuditTask, { kind: 'compare' }>,
  crew: Crew,
  send: (slice: ObservationSlice) => void,
): Promise<ObservationFrame> {
  const baseline = new Baseline(readSnapshot(task.snapshotPath, crew.memory));
  const { header } = baseline.data;
  await crew.pause();
  const git = new GitReader(new Set(header.exclude), crew, baseline.indexes);
  const look = await lookAgain(baseline, crew, async () => {
    await git.addRoots(header.roots.filter((root) => root.git === 'auto').map(({ path }) => path));
    await git.addEntries(header.gitEntries);
  });
  await git.addEntries(look.gitEntries.toSorted());
  const before: GitSide = { states: header.states, indexes: baseline.indexes };
  const after: GitSide = await git.finish();
  const tree = await observeChanges(baseline, look, crew);
  await crew.pause();
  const gitDifference = observeGit(before, after, (workTree) => baseline.ignore.isIgnored(workTree, true));
  const gitChanges = withAncestry(gitDifference.changes, storeFinder(after));
  const unverifiable = [...tree.unverifiable, ...gitDifference.unverifiable];
  sendLists({ ...tree, git: gitChanges, unverifiable }, send);
  const beforeDigest = digestBaseline(baseline);
  return {
    beforeDigest,
    afterDigest: digestAfter(beforeDigest, tree, gitChanges),
    gitProjection: projectGit(before, after),
  };
}

/** Rows per message: the receiver takes in one of them in well under a millisecond. */
const SLICE_ROWS = 250;

function sendLists(lists: ObservationSlice, send: (slice: ObservationSlice) => void): void {
  for (const [name, rows] of Object.entries(lists)) {
    for (let at = 0; at < rows.length; at += SLICE_ROWS) send({ [name]: rows.slice(at, at + SLICE_ROWS) });
  }
}

function storeFinder(side: GitSide): Parameters<typeof withAncestry>[1] {
  return (repository) => {
    const state = side.states.find((row) => displayPath(toPathName(row.repository)) === repository);
    return state === undefined ? undefined : { commonFolder: state.repository, objectFormat: state.objectFormat };
  };
}

/** Digest of what the snapshot says of the tree: every signature, and git's state. */
function digestBaseline({ data }: Baseline): Digest {
  const seal = createHash('sha256');
  seal.update(data.folders);
  seal.update(data.columns);
  seal.update(JSON.stringify(data.header.states));
  // Made here from 32 bytes of SHA-256.
  return `sha256:${seal.digest('hex')}` as Digest;
}

/** Equal to the baseline's where nothing lasting changed, else the baseline's together with the changes. */
function digestAfter(before: Digest, tree: TreeChanges, git: readonly ObservedGitChange[]): Digest {
  if (tree.changes.length === 0 && git.length === 0 && tree.unverifiable.length === 0) return before;
  const seal = createHash('sha256').update(before);
  seal.update(JSON.stringify([tree.changes, git, tree.unverifiable]));
  // Made here from 32 bytes of SHA-256.
  return `sha256:${seal.digest('hex')}` as Digest;
}
