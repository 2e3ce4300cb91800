import { batchLockPathOf, type DispatchRecord, snapshotPathOf } from '@bailiwick/dispatch-state';
import { acquireLock, type KernelLock } from '@bailiwick/durable-files';
import { type BatchId, newBatchId } from '@bailiwick/execution-identity';
import { takeSnapshot } from '@bailiwick/mutation-audit';
import type { DispatchContext } from '../context.ts';
import { snapshotRequest } from '../contract/baseline.ts';
import { checkBatchContracts, type DraftContract, draftContracts } from '../contract/draft-contract.ts';
import { prepareDropBoxes } from '../contract/drop-box.ts';
import type { DispatchPlan } from '../plan/job.ts';
import { shapeOf } from '../plan/job.ts';
import { checkModelSources } from '../plan/model-source.ts';
import { checkBatchShape } from '../plan/shape-rules.ts';
import { abortBatch } from './abort-batch.ts';
import { claimBatch, refuseUnclaimable } from './claim-batch.ts';
import { askBackends, prepareBackends } from './place-workers.ts';
import { startWorkers } from './start-workers.ts';

/** How long a command waits for the launch lock of its own new batch; nobody else can hold it. */
const LAUNCH_LOCK_TIMEOUT_MS = 5_000;

/** A batch whose workers run, or wait for a place, under their supervisor. */
export interface LaunchedBatch {
  readonly batchId: BatchId;
  readonly records: readonly DispatchRecord[];
}

/**
 * Launches a plan and returns once every worker has started or is queued; settling is `awaitRun`'s, here or in any other process.
 *
 * L1 Nothing is written before shape, contracts and compatibility are found good.
 * L2 The launch lock is held from before the first record until the supervisor holds its live lock.
 * L3 From the first durable write until the last worker has started, any failure ends and settles the whole round (BA-3).
 */
export async function dispatchBatch(context: DispatchContext, plan: DispatchPlan): Promise<LaunchedBatch> {
  checkBatchShape(plan.jobs.map(shapeOf), context.backends);
  await askBackends(context, plan);
  checkModelSources(context, plan.jobs);
  const drafts = await draftCompatible(context, plan);
  const batchId = newBatchId();
  const launchLock = await holdLaunch(context, batchId);
  const letGo = prepareBackends(context, plan);
  try {
    const records = await claimBatch(context, { batchId, drafts, skipped: plan.skipped });
    await launchRound(context, records, launchLock, { takesBaseline: true });
    return { batchId, records };
  } finally {
    letGo();
    launchLock.release();
  }
}

/**
 * Contracts that nothing alive stands against. An attempt that lives already would only seem to be in its own way: that it is
 * claimed is said first, and is what is said where another command has claimed it meanwhile.
 */
async function draftCompatible(context: DispatchContext, plan: DispatchPlan): Promise<readonly DraftContract[]> {
  await refuseUnclaimable(context, plan.jobs);
  const drafts = await draftContracts(context, plan.jobs);
  try {
    await checkBatchContracts(context, drafts);
  } catch (error) {
    await refuseUnclaimable(context, plan.jobs);
    throw error;
  }
  return drafts;
}

/** Starts the claimed attempts of one round; a retry round keeps its batch's first baseline (MA-1). */
export async function launchRound(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  launchLock: KernelLock,
  o: { readonly takesBaseline: boolean },
): Promise<void> {
  try {
    await prepareDropBoxes(context.manifest.projectRoot, context.layout.runDirectory, records);
    if (o.takesBaseline) await takeBaseline(context, records);
    await startWorkers(context, records, () => launchLock.release());
  } catch (error) {
    throw await abortBatch(context, records, error);
  }
}

/** The launch lock of a batch; it is freed by the kernel if this process dies. */
async function holdLaunch(context: DispatchContext, batchId: BatchId): Promise<KernelLock> {
  return acquireLock(batchLockPathOf(context.layout, batchId, 'launch'), { timeoutMs: LAUNCH_LOCK_TIMEOUT_MS });
}

async function takeBaseline(context: DispatchContext, records: readonly DispatchRecord[]): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  const snapshotPath = snapshotPathOf(context.layout, first.batchId);
  await takeSnapshot({ ...(await snapshotRequest(context, records)), snapshotPath });
}
