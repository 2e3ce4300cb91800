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
import { sourceDigestOf } from '../contract/source.ts';
import { storedContract } from '../contract/stored-contract.ts';
import { isDispatchError } from '../errors.ts';
import { standingOf } from '../launch/claim-batch.ts';
import { costStopOfRun } from '../launch/cost-limit.ts';
import { launchRound } from '../launch/dispatch-batch.ts';
import { settleAborted, settleUnstarted } from '../observe/advance-batch.ts';
import type { ObservedAttempt } from '../observe/decide-batch.ts';
import { finishAttempts } from '../settle/finish-attempts.ts';
import { draftRefusedRetry, draftRetry, isRefusedForGood, type RetriedRecord } from './draft-retry.ts';

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
    await finishAttempts(context, owed);
    const { toLaunch, stopped, refused } = await claimOrAbort(context, owed);
    for (const { record, reason } of stopped) await settleUnstarted(context, [record], reason);
    for (const { record, reason } of refused) await settleAborted(context, [record], reason);
    if (toLaunch.length > 0) await launchClaimed(context, toLaunch, lock);
    return true;
  } finally {
    lock.release();
  }
}

function isRetried(record: DispatchRecord): record is RetriedRecord {
  return record.retry !== null;
}

/** Every decision that a retry has its end in: one that is launched, one of a stopped worker or beyond the run's cost, one that can't be made. */
interface ClaimedRetries {
  readonly toLaunch: readonly DispatchRecord[];
  readonly stopped: readonly WithheldRetry[];
  readonly refused: readonly WithheldRetry[];
}

interface WithheldRetry {
  readonly record: DispatchRecord;
  readonly reason: string;
}

/** A claim that fails half-way settles what it has claimed, as a first one does (BA-3). */
async function claimOrAbort(context: DispatchContext, owed: readonly RetriedRecord[]): Promise<ClaimedRetries> {
  // Walking a tree is nothing for the run lock; a tree that can't be read is seen by the audit.
  const source = await sourceDigestOf(context.manifest).catch(() => null);
  const costStop = await costStopOfRun(context);
  const drafted: DispatchRecord[] = [];
  try {
    return await claimRetries(context, owed, { source, costStop, drafted });
  } catch (error) {
    await settleAborted(context, await standingOf(context, drafted), refusal(error));
    throw error;
  }
}

/** What of it is to be launched. One that may not start is claimed too, but never launched (AW-6). */
async function claimRetries(
  context: DispatchContext,
  owed: readonly RetriedRecord[],
  o: {
    readonly source: DispatchRecord['sourceDigest'];
    readonly costStop: string | undefined;
    readonly drafted: DispatchRecord[];
  },
): Promise<ClaimedRetries> {
  return withRunLock(context.layout, async () => {
    const toLaunch: DispatchRecord[] = [];
    const stopped: WithheldRetry[] = [];
    const refused: WithheldRetry[] = [];
    for (const failed of owed) {
      const stop = await whyStopped(context, failed, o.costStop);
      if ((await readRecord(context.layout, failed.retry.successor)) === undefined) {
        const { record, reason } = await draftOrRefuse(context, failed, o.source);
        o.drafted.push(record);
        await claimAttempt(context.layout, record);
        if (reason !== null) refused.push({ record, reason });
        else if (stop !== undefined) stopped.push({ record, reason: stop });
        else toLaunch.push(record);
      }
      await closeAttempt(context.layout, failed.dispatchId);
    }
    return { toLaunch, stopped, refused };
  });
}

/** The worker was stopped meanwhile, or the run has cost what it may; undefined where the retry may start. */
async function whyStopped(
  { layout, manifest }: DispatchContext,
  failed: DispatchRecord,
  costStop: string | undefined,
): Promise<string | undefined> {
  if ((await readStopIntent(layout, workerOfRecord(failed, manifest))) !== undefined)
    return 'stopped before it was started';
  return costStop === undefined ? undefined : `stopped by ${costStop}`;
}

/** `reason` is null for a retry that can be made. What may be better at the next await, such as a full disk, is thrown. */
async function draftOrRefuse(
  context: DispatchContext,
  failed: RetriedRecord,
  source: DispatchRecord['sourceDigest'],
): Promise<{ readonly record: DispatchRecord; readonly reason: string | null }> {
  try {
    return { record: await draftRetry(context, failed, source), reason: null };
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    return { record: await draftRefusedRetry(context, failed), reason: refusal(error) };
  }
}

function refusal(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` [${String(error.code)}]` : '';
  return `the retry was refused${code}: ${error instanceof Error ? error.message : String(error)}`;
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
    await settleAborted(context, claimed, refusal(error));
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
