import { type DispatchRecord, workTreeOf } from '@bailiwick/dispatch-state';
import { isFolder } from '@bailiwick/durable-files';
import type { SnapshotRoot, TakeSnapshotOptions } from '@bailiwick/mutation-audit';
import { writeRootsOf } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import { orchestratorPathsOf } from './orchestrator-paths.ts';
import { storedContract } from './stored-contract.ts';

/**
 * What a batch's baseline covers: the workers' tree, and the project's own checkout where that is another (MA-11). Where
 * every worker of the batch is confined by itself, it is their write roots: outside them nothing is scanned (MA-5).
 */
export async function snapshotRequest(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<Pick<TakeSnapshotOptions, 'roots' | 'exclude'>> {
  const isConfined = records.every((record) => record.writeEnforcement.scope === 'write-roots');
  const paths = isConfined ? await writeRoots(context, records) : treePaths(context);
  const git: SnapshotRoot['git'] = context.gitCommonDirectory === null ? 'none' : 'auto';
  return { roots: paths.map((path) => ({ path, git })), exclude: orchestratorPathsOf(context) };
}

function treePaths(context: DispatchContext): readonly string[] {
  const { projectRoot } = context.manifest;
  const workTree = workTreeOf(context.manifest);
  return workTree === projectRoot ? [projectRoot] : [projectRoot, workTree];
}

/**
 * The folders that their boundaries open: what the record names as wider too, since it is open as well. So is the work tree
 * below a throw-away layer: nobody writes through that, but a daemon that was asked to would be seen.
 */
async function writeRoots(context: DispatchContext, records: readonly DispatchRecord[]): Promise<readonly string[]> {
  const contracts = await mapSeveral(records, ({ invocationRef }) => storedContract(context, invocationRef));
  const open = contracts
    .flatMap(({ policy, enforcement }) => [
      ...writeRootsOf(policy, { layer: enforcement.layer !== undefined }),
      ...(enforcement.layer === undefined ? [] : [policy.worktree]),
      ...enforcement.wider,
    ])
    .filter((path) => path !== context.boundary?.userHome);
  const folders = await Promise.all([...new Set(open)].map(async (path) => ((await isFolder(path)) ? [path] : [])));
  return folders.flat().sort();
}
