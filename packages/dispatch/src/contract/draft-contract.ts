import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { listOpenAttempts, readInvocation, workTreeOf } from '@bailiwick/dispatch-state';
import { mapSystemError } from '@bailiwick/durable-files';
import {
  type BatchMember,
  buildWritePolicy,
  checkCompatibleBatch,
  loadContract,
  makeContract,
  orchestratorPaths,
  pathsToResolve,
  planEnforcement,
  type WriteContract,
  type WritePolicy,
  type WritePolicyRequest,
} from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import type { WorkerJob } from '../plan/job.ts';

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
  return Promise.all(jobs.map(async (job) => ({ job, contract: await contractOf(context, job) })));
}

/** Refuses a batch whose jobs, together with every attempt alive in the run, could write over each other (WP-7). */
export async function checkBatchContracts(context: DispatchContext, drafts: readonly DraftContract[]): Promise<void> {
  const members = drafts.map(({ job, contract }) => ({ dispatchLabel: job.metadata.executionLabel, contract }));
  checkCompatibleBatch(members, await aliveContracts(context));
}

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

/** The stored contract of an invocation, digest checked; CONTRACT_MISSING where it was never stored (WP-6). */
export async function storedContract(
  context: DispatchContext,
  invocationRef: WorkerJob['metadata']['invocationRef'],
): Promise<WriteContract> {
  const invocation = await readInvocation(context.layout, invocationRef);
  if (invocation !== undefined) return loadContract(invocation, invocationRef);
  throw new DispatchError('CONTRACT_MISSING', `invocation ${invocationRef} has no stored contract`, {
    path: context.layout.invocationsFolder,
    hint: 'an attempt without its contract is never launched and never settled as anything but an error',
  });
}

async function contractOf(context: DispatchContext, job: WorkerJob): Promise<WriteContract> {
  const policy = await policyOf(context, job);
  const enforcement = planEnforcement({
    policy,
    capability: job.roleExecution.binding?.workerWriteCapability ?? null,
    boundary: 'none',
    boundaryPrecision: 'none',
  });
  return makeContract(policy, enforcement);
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

/** Where paths really lead; one that doesn't exist yet leads where its nearest existing parent does. */
async function resolvePaths(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await realPathOf(path)] as const)));
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent || dirname(path) === path) throw mapSystemError(error, path, 'resolve');
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

async function aliveContracts(context: DispatchContext): Promise<readonly BatchMember[]> {
  const open = await listOpenAttempts(context.layout);
  const alive = open.flatMap(({ record }) => (record?.status === 'launching' ? [record] : []));
  return Promise.all(
    alive.map(async (record) => ({
      dispatchLabel: record.executionLabel,
      contract: await storedContract(context, record.invocationRef),
    })),
  );
}
