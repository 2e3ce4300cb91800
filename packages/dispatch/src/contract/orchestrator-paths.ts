import { workTreeOf } from '@bailiwick/dispatch-state';
import { orchestratorPaths } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';

/** WP-4's list for this run: what the orchestrator and the supervisors write. */
export function orchestratorPathsOf(context: DispatchContext): readonly string[] {
  const { stateRoot, manifest, gitCommonDirectory } = context;
  return orchestratorPaths({
    stateRoot,
    projectRoot: manifest.projectRoot,
    worktree: workTreeOf(manifest),
    ...(gitCommonDirectory === null ? {} : { gitCommonDir: gitCommonDirectory }),
  });
}
