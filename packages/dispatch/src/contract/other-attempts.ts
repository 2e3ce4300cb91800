import {
  type DispatchRecord,
  layoutOfRun,
  listRuns,
  type RunLayout,
  surveyAttempts,
  surveyOpenAttempts,
} from '@bailiwick/dispatch-state';
import type { BatchId, DispatchId } from '@bailiwick/execution-identity';
import type { JobContract } from '@bailiwick/mutation-audit';
import type { BatchMember, WriteContract } from '@bailiwick/write-policy';
import type { DispatchContext } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import { storedContractIn } from './stored-contract.ts';

/** Every attempt of any run of the project that isn't settled, with the contract that it runs under; `exceptBatch` leaves one batch out. */
export async function aliveAttempts(context: DispatchContext, exceptBatch?: BatchId): Promise<readonly AliveAttempt[]> {
  const runIds = await listRuns(context.stateRoot);
  const alive = await Promise.all(runIds.map((runId) => aliveIn(layoutOfRun(context.stateRoot, runId), exceptBatch)));
  return alive.flat();
}

/** An attempt that may still write, as far as its record says. */
export interface AliveAttempt extends BatchMember {
  readonly contract: WriteContract;
  readonly dispatchId: DispatchId;
  readonly batchId: BatchId;
}

/** Costs what is open in the run, not what it holds. */
async function aliveIn(layout: RunLayout, exceptBatch: BatchId | undefined): Promise<readonly AliveAttempt[]> {
  const { attempts } = await surveyOpenAttempts(layout);
  const alive = attempts.flatMap(({ record }) =>
    record?.status === 'launching' && record.batchId !== exceptBatch ? [record] : [],
  );
  return mapSeveral(alive, async ({ executionLabel, runId, invocationRef, dispatchId, batchId }) => ({
    dispatchLabel: `${executionLabel} of ${runId}`,
    contract: await storedContractIn(layout, invocationRef),
    dispatchId,
    batchId,
  }));
}

/**
 * The attempts of other batches, in any run of the project, that were settled after this one was claimed: they may have written in the
 * same tree meanwhile, and are no longer among the living. One whose contract can't be had explains nothing and is left out.
 *
 * Costs what the runs hold; asked only where something is left to explain.
 */
export async function attemptsSettledSince(
  context: DispatchContext,
  record: Pick<DispatchRecord, 'batchInvocations' | 'dispatchedAt'>,
): Promise<readonly JobContract[]> {
  const runIds = await listRuns(context.stateRoot);
  const found = await Promise.all(runIds.map((runId) => settledIn(layoutOfRun(context.stateRoot, runId), record)));
  return found.flat();
}

async function settledIn(
  layout: RunLayout,
  { batchInvocations, dispatchedAt }: Pick<DispatchRecord, 'batchInvocations' | 'dispatchedAt'>,
): Promise<readonly JobContract[]> {
  const { attempts } = await surveyAttempts(layout);
  const others = attempts.filter(
    ({ invocationRef, finishedAt }) =>
      finishedAt !== null && finishedAt >= dispatchedAt && !batchInvocations.includes(invocationRef),
  );
  const found = await Promise.allSettled(
    others.map(async ({ dispatchId, executionLabel: label, invocationRef }) => ({
      dispatchId,
      label,
      contract: await storedContractIn(layout, invocationRef),
    })),
  );
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
