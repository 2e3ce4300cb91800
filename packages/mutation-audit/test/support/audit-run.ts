import { join } from 'node:path';
import {
  compareWithSnapshot,
  displayPath,
  type SnapshotRoot,
  type TreeObservation,
  takeSnapshot,
} from '../../src/index.ts';
import { tempFolder } from './git-tree.ts';

/** Snapshot, something happens, comparison. */
export async function observe(
  root: string,
  happen: () => void | Promise<void>,
  o: { roots?: readonly SnapshotRoot[]; exclude?: readonly string[] } = {},
): Promise<TreeObservation> {
  const snapshotPath = join(tempFolder('snapshot'), 'batch.snap');
  await takeSnapshot({ roots: o.roots ?? [{ path: root, git: 'auto' }], snapshotPath, exclude: o.exclude ?? [] });
  await happen();
  return compareWithSnapshot({ snapshotPath });
}

/** `kind path` of each change, relative to the root. */
export function changesOf(observation: TreeObservation, root: string): readonly string[] {
  return observation.changes.map(({ kind, path }) => `${kind} ${displayPath(path).replace(`${root}/`, '')}`);
}

/** `what name` of each git change. */
export function gitChangesOf(observation: TreeObservation): readonly string[] {
  return observation.git.map(({ what, name }) => `${what} ${name}`);
}

/** `kind path` of each trace. */
export function tracesOf(observation: TreeObservation, root: string): readonly string[] {
  return observation.traces.map(({ kind, path }) => `${kind} ${displayPath(path).replace(`${root}/`, '')}`);
}
