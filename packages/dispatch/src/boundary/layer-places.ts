import { join } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import { layerFolderOf } from '@bailiwick/process-supervision';
import { type WritePolicy, writeRootsOf } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { orchestratorPathsOf } from '../contract/orchestrator-paths.ts';

/** Short, since programs make sockets below their temporary folder, and a socket's path has 107 bytes. */
export function privateFolderOf(attemptsFolder: string, { runId, dispatchId }: DispatchRecord): string {
  const digest = digestOfBytes(`${runId}\0${dispatchId}`);
  return join(attemptsFolder, digest.slice(digest.indexOf(':') + 1).slice(0, 16));
}

/** Where the layer of an attempt lies until it is settled. */
export function layerFolderOfAttempt(attemptsFolder: string, record: DispatchRecord): string {
  return layerFolderOf(privateFolderOf(attemptsFolder, record));
}

/** What of a work tree isn't seen through its layer: our own folders, what the orchestrator writes, and what lasts. */
export function pathsBesideLayer(context: DispatchContext, policy: WritePolicy): readonly string[] {
  const lasting = writeRootsOf(policy, { layer: true });
  return [join(policy.worktree, '.bailiwick'), ...orchestratorPathsOf(context), ...lasting];
}
