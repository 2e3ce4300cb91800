import { STOPPED_AS_LOST } from '@bailiwick/backend-contract';
import { batchLockPathOf, type DispatchRecord, isTerminalStage, isTerminalStatus } from '@bailiwick/dispatch-state';
import { acquireLock, isLocked, type KernelLock, tryLock } from '@bailiwick/durable-files';
import type { BatchId } from '@bailiwick/execution-identity';
import { removePrivateFolder } from '../boundary/boundary-order.ts';
import type { DispatchContext } from '../context.ts';
import { finishAttempts } from '../settle/finish-attempts.ts';
import { type SettleReasons, settleAttempts, type UnsaidEnd } from '../settle/settle-attempts.ts';
import { mapSeveral } from '../several-at-once.ts';
import { addressOf } from './attempt-address.ts';
import { type BatchStep, decideBatch, type ObservedAttempt } from './decide-batch.ts';
import { reread } from './read-open-batches.ts';

/** What looking at a batch came to. */
export type BatchProgress = 'advanced' | 'waiting';

/** How long an attempt's tree may take to end politely when no supervisor is left to do it. */
const RECLAIM_GRACE_MS = 2_000;

const NO_REASONS: SettleReasons = { abortReason: null, lost: new Map() };

/** Takes the next step for one batch, if it is this process's to take; the lock decides between several (AW-5). */
export async function advanceBatch(
  context: DispatchContext,
  batchId: BatchId,
  attempts: readonly ObservedAttempt[],
): Promise<BatchProgress> {
  const step = nextStep(context, batchId, attempts);
  if (step.kind === 'wait') return 'waiting';
  const settleLock = tryLock(batchLockPathOf(context.layout, batchId, 'settle'));
  if (settleLock === undefined) return 'waiting';
  try {
    const fresh = await mapSeveral(attempts, ({ record }) => reread(context, record));
    return await takeStep(context, batchId, fresh);
  } finally {
    settleLock.release();
  }
}

/** Settles attempts whose launch was broken off; the caller has ended their workers and holds the launch lock. */
export async function settleAborted(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  abortReason: string,
): Promise<void> {
  await settleHeld(context, records, { abortReason, lost: new Map() });
}

/** Settles claimed attempts that were stopped before anything was started for them; the caller holds the launch lock. */
export async function settleUnstarted(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  reason: string,
): Promise<void> {
  const end = { end: 'stopped', reason, endProof: 'unknown' } as const;
  const lost = new Map(records.map((record) => [record.dispatchId, end]));
  await settleHeld(context, records, { abortReason: null, lost });
}

async function settleHeld(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  reasons: SettleReasons,
): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  const lock = await acquireLock(batchLockPathOf(context.layout, first.batchId, 'settle'), { timeoutMs: 30_000 });
  try {
    const fresh = await mapSeveral(records, (record) => reread(context, record));
    const unsettled = fresh.filter(({ record }) => !isTerminalStatus(record.status));
    await settleAttempts(context, unsettled, reasons);
  } finally {
    lock.release();
  }
}

async function takeStep(
  context: DispatchContext,
  batchId: BatchId,
  attempts: readonly ObservedAttempt[],
): Promise<BatchProgress> {
  const step = nextStep(context, batchId, attempts);
  switch (step.kind) {
    case 'wait':
      return 'waiting';
    case 'finish':
      return finishAll(context, attempts);
    case 'settle':
      await finishTerminal(context, attempts);
      await settleAttempts(context, unsettledOf(attempts), NO_REASONS);
      return 'advanced';
    case 'reclaim':
      return reclaim(context, batchId, attempts);
    default:
      return unreachable(step);
  }
}

/** Both owners' locks are taken and held: nobody can start, end or settle anything of the batch meanwhile. */
async function reclaim(
  context: DispatchContext,
  batchId: BatchId,
  attempts: readonly ObservedAttempt[],
): Promise<BatchProgress> {
  const locks = takeBoth(context, batchId);
  if (locks === undefined) return 'waiting';
  try {
    const fresh = await mapSeveral(unsettledOf(attempts), ({ record }) => reread(context, record));
    const lost = await endWhatIsLeft(
      context,
      fresh.filter(({ sidecar }) => sidecar === undefined || !isTerminalStage(sidecar.stage)),
    );
    if (lost === undefined) return 'waiting';
    await settleAttempts(context, fresh, { abortReason: null, lost });
    return 'advanced';
  } finally {
    for (const lock of locks) lock.release();
  }
}

function takeBoth(context: DispatchContext, batchId: BatchId): readonly KernelLock[] | undefined {
  const launch = tryLock(batchLockPathOf(context.layout, batchId, 'launch'));
  if (launch === undefined) return undefined;
  const live = tryLock(batchLockPathOf(context.layout, batchId, 'live'));
  if (live !== undefined) return [launch, live];
  launch.release();
  return undefined;
}

/**
 * Ends the trees of attempts whose owner is gone, before anything is compared. Undefined where one can't be ended, or can't be seen
 * from here: a worker of another machine or pid namespace is unknown, never lost.
 */
async function endWhatIsLeft(
  context: DispatchContext,
  attempts: readonly ObservedAttempt[],
): Promise<SettleReasons['lost'] | undefined> {
  const lost = new Map<string, UnsaidEnd>();
  let isAllGone = true;
  for (const { record, sidecar } of attempts) {
    const backend = context.backends.get(record.backend);
    const [outcome] =
      (await backend?.stop([addressOf(context, record, sidecar)], {
        by: STOPPED_AS_LOST,
        graceMs: RECLAIM_GRACE_MS,
      })) ?? [];
    const ended =
      outcome === undefined || outcome.endedProcesses === 0
        ? ''
        : `; ${outcome.endedProcesses} of its processes were ended`;
    const what = sidecar === undefined ? 'its launch was cut off before anything ran' : `its supervisor died${ended}`;
    const reason = outcome?.note === undefined ? what : `${what}; ${outcome.note}`;
    lost.set(record.dispatchId, { end: 'lost', reason, endProof: outcome?.endProof ?? 'unknown' });
    if (outcome?.isGone === false) isAllGone = false;
    if (outcome?.isGone === true) await removePrivateFolder(context, record);
  }
  if (!isAllGone) return undefined;
  for (const { record } of attempts) context.onProgress({ kind: 'lost', record });
  return lost;
}

/** Whether somebody owns the batch is looked at only where that decides: each look opens two locks. */
function nextStep(context: DispatchContext, batchId: BatchId, attempts: readonly ObservedAttempt[]): BatchStep {
  const step = decideBatch(attempts, true);
  return step.kind === 'wait' ? decideBatch(attempts, isOwned(context, batchId)) : step;
}

/** True while a command launches the batch or its supervisor lives. */
export function isOwned(context: DispatchContext, batchId: BatchId): boolean {
  return (
    isLocked(batchLockPathOf(context.layout, batchId, 'launch')) ||
    isLocked(batchLockPathOf(context.layout, batchId, 'live'))
  );
}

/** A batch whose attempts all wait for their retries to be launched hasn't advanced. */
async function finishAll(context: DispatchContext, attempts: readonly ObservedAttempt[]): Promise<BatchProgress> {
  const closed = await finishAttempts(
    context,
    attempts.map(({ record }) => record),
  );
  return closed.includes(true) ? 'advanced' : 'waiting';
}

async function finishTerminal(context: DispatchContext, attempts: readonly ObservedAttempt[]): Promise<void> {
  const terminal = attempts.map(({ record }) => record).filter(({ status }) => isTerminalStatus(status));
  await finishAttempts(context, terminal);
}

function unsettledOf(attempts: readonly ObservedAttempt[]): readonly ObservedAttempt[] {
  return attempts.filter(({ record }) => !isTerminalStatus(record.status));
}

function unreachable(step: never): never {
  throw new TypeError(`unknown step: ${JSON.stringify(step)}`);
}
