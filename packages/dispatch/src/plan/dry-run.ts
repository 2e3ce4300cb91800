import { type Runner, revalidateAssignment } from '@bailiwick/assignment-resolution';
import { type BackendKind, loadManifest } from '@bailiwick/dispatch-state';
import type { WriteEnforcement, WritePolicy } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { checkBatchContracts, type DraftContract, draftContracts } from '../contract/draft-contract.ts';
import { refuseUnclaimable } from '../launch/claim-batch.ts';
import { type DispatchPlan, shapeOf, type WorkerJob } from './job.ts';
import { checkModelSources } from './model-source.ts';
import { checkBatchShape } from './shape-rules.ts';

/** A plan as it would be launched (PL-7). */
export interface DryRunReport {
  readonly jobs: readonly DryRunJob[];
  readonly skipped: DispatchPlan['skipped'];
}

/** One job as it would be launched; paths are absolute. */
export interface DryRunJob {
  readonly dispatchId: string;
  readonly workerId: string;
  readonly identity: Pick<
    WorkerJob['metadata'],
    'participantRef' | 'roleExecutionRef' | 'invocationRef' | 'executionLabel' | 'dutyId' | 'attempt'
  >;
  readonly modelRef: string | null;
  readonly modelExecutionValue: string | null;
  readonly runner: Runner | null;
  readonly backend: BackendKind;
  readonly promptPath: string;
  readonly writePolicy: WritePolicy;
  readonly writePolicyDigest: string;
  readonly writeEnforcement: WriteEnforcement;
  readonly outputPaths: readonly string[];
}

/** Passes a plan through every gate that writes nothing, and tells what would be launched (PL-4, PL-7). Changes nothing. */
export async function dryRun(context: DispatchContext, plan: DispatchPlan): Promise<DryRunReport> {
  checkBatchShape(plan.jobs.map(shapeOf), context.backends);
  checkModelSources(context, plan.jobs);
  await refuseUnclaimable(context, plan.jobs);
  await revalidate(context, plan);
  const drafts = await draftContracts(context, plan.jobs);
  await checkBatchContracts(context, drafts);
  return { jobs: drafts.map(describe), skipped: plan.skipped };
}

async function revalidate(context: DispatchContext, plan: DispatchPlan): Promise<void> {
  const { roleExecutions } = await loadManifest(context.layout);
  for (const { metadata } of plan.jobs)
    revalidateAssignment({ job: metadata, roleExecutions, pool: context.pool, environment: context.environment });
}

function describe({ job, contract }: DraftContract): DryRunJob {
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = job.metadata;
  return {
    dispatchId: job.dispatchId,
    workerId: job.workerId,
    identity: { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt },
    modelRef: job.roleExecution.modelRef,
    modelExecutionValue: job.roleExecution.binding?.resolvedExecutionValue ?? null,
    runner: job.roleExecution.binding?.runner ?? null,
    backend: job.backend,
    promptPath: job.promptPath,
    writePolicy: contract.policy,
    writePolicyDigest: contract.digest,
    writeEnforcement: contract.enforcement,
    outputPaths: job.completionPaths,
  };
}
