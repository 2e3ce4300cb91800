import { workTreeOf } from '@bailiwick/dispatch-state';
import type { SnapshotRoot, TakeSnapshotOptions } from '@bailiwick/mutation-audit';
import type { DispatchContext } from '../context.ts';
import { orchestratorPathsOf } from './draft-contract.ts';

/** What a batch's baseline covers: the workers' tree, and the project's own checkout where that is another (MA-11). */
export function snapshotRequest(context: DispatchContext, snapshotPath: string): TakeSnapshotOptions {
  return { roots: snapshotRoots(context), snapshotPath, exclude: orchestratorPathsOf(context) };
}

function snapshotRoots(context: DispatchContext): readonly SnapshotRoot[] {
  const { projectRoot } = context.manifest;
  const workTree = workTreeOf(context.manifest);
  const paths = workTree === projectRoot ? [projectRoot] : [projectRoot, workTree];
  return paths.map((path) => ({ path, git: context.gitCommonDirectory === null ? 'none' : 'auto' }));
}
