import { workTreeOf } from '@bailiwick/dispatch-state';
import {
  buildWritePolicy,
  checkCompatibleBatch,
  makeContract,
  pathsToResolve,
  type WriteContract,
  type WritePolicy,
  type WritePolicyRequest,
} from '@bailiwick/write-policy';
import { draftEnforcement } from '../boundary/draft-enforcement.ts';
import type { DispatchContext } from '../context.ts';
import type { WorkerJob } from '../plan/job.ts';
import { mapSeveral } from '../several-at-once.ts';
import { orchestratorPathsOf } from './orchestrator-paths.ts';
import { aliveAttempts } from './other-attempts.ts';
import { type PathResolver, pathResolver, resolvePaths } from './resolve-paths.ts';

/** A job with the contract that it would be launched under. */
export interface DraftContract {
  readonly job: WorkerJob;
  readonly contract: WriteContract;
}

/** What every job of a batch may write, and how that is held; nothing is stored (BA-2, WP-1). */
export async function draftContracts(
  context: DispatchContext,
  jobs: readonly WorkerJob[],
): Promise<readonly DraftContract[]> {
  const resolver = pathResolver();
  const policies = await mapSeveral(jobs, (job) => policyOf(context, job, resolver));
  const alive = (await aliveAttempts(context)).map(({ contract }) => contract.policy);
  const drafts: DraftContract[] = [];
  for (const [at, job] of jobs.entries()) {
    const policy = policies[at] ?? (await policyOf(context, job, resolver));
    const others = [...policies.filter((_, other) => other !== at), ...alive];
    drafts.push({ job, contract: makeContract(policy, await draftEnforcement(context, { job, policy, others })) });
  }
  return drafts;
}

/**
 * Refuses a batch whose jobs, together with every attempt alive in any run of the project, could write over each other (WP-7). True
 * for good only under the claim lock.
 */
export async function checkBatchContracts(context: DispatchContext, drafts: readonly DraftContract[]): Promise<void> {
  const members = drafts.map(({ job, contract }) => ({ dispatchLabel: job.metadata.executionLabel, contract }));
  checkCompatibleBatch(members, await aliveAttempts(context));
}

async function policyOf(context: DispatchContext, job: WorkerJob, resolver: PathResolver): Promise<WritePolicy> {
  const { manifest } = context;
  const isImplementer = job.roleExecution.role === 'implementer';
  const request: WritePolicyRequest = {
    role: job.roleExecution.role,
    projectRoot: manifest.projectRoot,
    worktree: workTreeOf(manifest),
    dropBox: job.dropBoxPath,
    artifactPaths: job.completionPaths,
    plannedPaths: isImplementer ? manifest.plan.paths : [],
    git: isImplementer ? manifest.git : 'none',
    ignored: manifest.ignored,
    scratch: manifest.scratch,
    orchestrator: orchestratorPathsOf(context),
  };
  return buildWritePolicy({ ...request, facts: { realPathOf: await resolvePaths(pathsToResolve(request), resolver) } });
}
