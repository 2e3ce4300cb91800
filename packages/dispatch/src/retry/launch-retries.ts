import { revalidateAssignment } from '@bailiwick/assignment-resolution';
import {
  batchLockPathOf,
  claimAttempt,
  closeAttempt,
  type DispatchRecord,
  loadManifest,
  readRecord,
  readStopIntent,
  withRunLock,
  workerOfRecord,
} from '@bailiwick/dispatch-state';
import { isLocked, tryLock } from '@bailiwick/durable-files';
import type { BatchId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { storedContract } from '../contract/draft-contract.ts';
import { isDispatchError } from '../errors.ts';
import { launchRound } from '../launch/dispatch-batch.ts';
import { settleAborted, settleUnstarted } from '../observe/advance-batch.ts';
import type { ObservedAttempt } from '../observe/decide-batch.ts';
import { finishAttempt } from '../settle/settle-attempts.ts';
import { draftRetry, type RetriedRecord } from './draft-retry.ts';

/**
 * Launches the retries that a batch's settlements decided and nobody has launched yet, exactly once over all processes (RT-4):
 * the launch lock keeps others out, the successor's record is the claim. True where something was done.
 */
export async function launchRetries(
  context: DispatchContext,
  batchId: BatchId,
  attempts: readonly ObservedAttempt[],
): Promise<boolean> {
  const owed = attempts.map(({ record }) => record).filter(isRetried);
  if (owed.length === 0 || attempts.some(({ record }) => record.status === 'launching')) return false;
  // The supervisor of the round before lets go of it last; the next one needs it.
  if (isLocked(batchLockPathOf(context.layout, batchId, 'live'))) return false;
  const lock = tryLock(batchLockPathOf(context.layout, batchId, 'launch'));
  if (lock === undefined) return false;
  try {
    // Whoever decided may have been killed before it told: the marker that says so goes with the claim.
    for (const failed of owed) await finishAttempt(context, failed);
    const { toLaunch, stopped } = await claimRetries(context, owed);
    await settleUnstarted(context, stopped, 'stopped before it was started');
    if (toLaunch.length > 0) await launchClaimed(context, toLaunch, lock);
    return true;
  } finally {
    lock.release();
  }
}

function isRetried(record: DispatchRecord): record is RetriedRecord {
  return record.retry !== null;
}

/** The retry of a worker that was stopped meanwhile is claimed too, so that the decision has its end, but never launched (AW-6). */
async function claimRetries(
  context: DispatchContext,
  owed: readonly RetriedRecord[],
): Promise<{ readonly toLaunch: readonly DispatchRecord[]; readonly stopped: readonly DispatchRecord[] }> {
  return withRunLock(context.layout, async () => {
    const toLaunch: DispatchRecord[] = [];
    const stopped: DispatchRecord[] = [];
    for (const failed of owed) {
      const isStopped = (await readStopIntent(context.layout, workerOfRecord(failed, context.manifest))) !== undefined;
      const next = await claimRetry(context, failed);
      if (next !== undefined) (isStopped ? stopped : toLaunch).push(next);
      await closeAttempt(context.layout, failed.dispatchId);
    }
    return { toLaunch, stopped };
  });
}

/** Undefined where the retry is claimed already. */
async function claimRetry(context: DispatchContext, failed: RetriedRecord): Promise<DispatchRecord | undefined> {
  if ((await readRecord(context.layout, failed.retry.successor)) !== undefined) return undefined;
  const next = await draftRetry(context, failed);
  await claimAttempt(context.layout, next);
  return next;
}

/** A retry that may not start is settled with the reason, so that nobody tries it again for ever. */
async function launchClaimed(
  context: DispatchContext,
  claimed: readonly DispatchRecord[],
  lock: Parameters<typeof launchRound>[2],
): Promise<void> {
  try {
    for (const record of claimed) await checkAgain(context, record);
  } catch (error) {
    await settleAborted(
      context,
      claimed,
      `the retry was refused: ${error instanceof Error ? error.message : String(error)}`,
    );
    return;
  }
  await launchRound(context, claimed, lock, { takesBaseline: false }).catch((error: unknown) => {
    if (!isDispatchError(error) || error.code !== 'BATCH_ABORTED') throw error;
  });
}

/** Binding and stored contract must still stand, as before a first attempt (AR-3, WP-6). */
async function checkAgain(context: DispatchContext, record: DispatchRecord): Promise<void> {
  const { roleExecutionRef, participantRef, executionLabel } = record;
  const { roleExecutions } = await loadManifest(context.layout);
  revalidateAssignment({
    job: { roleExecutionRef, participantRef, executionLabel },
    roleExecutions,
    pool: context.pool,
    environment: context.environment,
  });
  await storedContract(context, record.invocationRef);
}
