import {
  layoutOfRun,
  listRuns,
  type RunLayout,
  readInvocation,
  surveyOpenAttempts,
  workTreeOf,
} from '@bailiwick/dispatch-state';
import type { BatchId, DispatchId } from '@bailiwick/execution-identity';
import {
  type BatchMember,
  buildWritePolicy,
  checkCompatibleBatch,
  loadContract,
  makeContract,
  pathsToResolve,
  type WriteContract,
  type WritePolicy,
  type WritePolicyRequest,
} from '@bailiwick/write-policy';
import { draftEnforcement } from '../boundary/draft-enforcement.ts';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import type { WorkerJob } from '../plan/job.ts';
import { orchestratorPathsOf } from './orchestrator-paths.ts';
import { resolvePaths } from './resolve-paths.ts';

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
  const policies = await Promise.all(jobs.map((job) => policyOf(context, job)));
  const alive = (await aliveAttempts(context)).map(({ contract }) => contract.policy);
  const drafts: DraftContract[] = [];
  for (const [at, job] of jobs.entries()) {
    const policy = policies[at] ?? (await policyOf(context, job));
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

/** The stored contract of an invocation, digest checked; CONTRACT_MISSING where it was never stored (WP-6). */
export async function storedContract(
  context: DispatchContext,
  invocationRef: WorkerJob['metadata']['invocationRef'],
): Promise<WriteContract> {
  return storedContractIn(context.layout, invocationRef);
}

async function storedContractIn(
  layout: RunLayout,
  invocationRef: WorkerJob['metadata']['invocationRef'],
): Promise<WriteContract> {
  const invocation = await readInvocation(layout, invocationRef);
  if (invocation !== undefined) return loadContract(invocation, invocationRef);
  throw new DispatchError('CONTRACT_MISSING', `invocation ${invocationRef} has no stored contract`, {
    path: layout.invocationsFolder,
    hint: 'an attempt without its contract is never launched and never settled as anything but an error',
  });
}

async function policyOf(context: DispatchContext, job: WorkerJob): Promise<WritePolicy> {
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
  return buildWritePolicy({ ...request, facts: { realPathOf: await resolvePaths(pathsToResolve(request)) } });
}

/** Every attempt of any run of the project that isn't settled, with the contract that it runs under; `exceptBatch` leaves one batch out. */
export async function aliveAttempts(context: DispatchContext, exceptBatch?: BatchId): Promise<readonly AliveAttempt[]> {
  const runIds = await listRuns(context.stateRoot);
  const alive = await Promise.all(runIds.map((runId) => aliveIn(layoutOfRun(context.stateRoot, runId))));
  return alive.flat().filter((attempt) => attempt.batchId !== exceptBatch);
}

/** An attempt that may still write, as far as its record says. */
export interface AliveAttempt extends BatchMember {
  readonly contract: WriteContract;
  readonly dispatchId: DispatchId;
  readonly batchId: BatchId;
}

/** Costs what is open in the run, not what it holds. */
async function aliveIn(layout: RunLayout): Promise<readonly AliveAttempt[]> {
  const { attempts } = await surveyOpenAttempts(layout);
  const alive = attempts.flatMap(({ record }) => (record?.status === 'launching' ? [record] : []));
  return Promise.all(
    alive.map(async ({ executionLabel, runId, invocationRef, dispatchId, batchId }) => ({
      dispatchLabel: `${executionLabel} of ${runId}`,
      contract: await storedContractIn(layout, invocationRef),
      dispatchId,
      batchId,
    })),
  );
}
