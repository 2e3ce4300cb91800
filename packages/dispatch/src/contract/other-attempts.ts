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

/** An attempt that may still write, as far as its record says. */
export interface AliveAttempt extends BatchMember {
  readonly contract: WriteContract;
  readonly dispatchId: DispatchId;
  readonly batchId: BatchId;
}

/**
 * Every attempt of any run of the project that isn't settled, with the contract that it runs under: a worker is launched beside them,
 * or not. Rejects where one of the contracts can't be had, as `storedContract`: what that attempt may write isn't known.
 */
export async function aliveAttempts(context: DispatchContext): Promise<readonly AliveAttempt[]> {
  const runs = await layoutsOfProject(context);
  const alive = await Promise.all(
    runs.map(async (layout) => mapSeveral(await aliveIn(layout), (record) => aliveAttemptOf(layout, record))),
  );
  return alive.flat();
}

async function aliveAttemptOf(layout: RunLayout, record: DispatchRecord): Promise<AliveAttempt> {
  const { dispatchId, batchId, invocationRef, executionLabel } = record;
  const contract = await storedContractIn(layout, invocationRef);
  return { dispatchLabel: labelIn(layout, executionLabel), contract, dispatchId, batchId };
}

/** The same of other batches than this, as those that may have written in the same tree: candidates, so what can't be had is left out. */
export async function aliveElsewhere(context: DispatchContext, batchId: BatchId): Promise<readonly JobContract[]> {
  const runs = await layoutsOfProject(context);
  const alive = await Promise.all(
    runs.map(async (layout) => {
      const others = (await aliveIn(layout)).filter((record) => record.batchId !== batchId);
      return contractsToBeHad(layout, others);
    }),
  );
  return alive.flat();
}

/**
 * The attempts of other batches, in any run of the project, that were settled after this one was claimed: they may have written in the
 * same tree meanwhile, and are no longer among the living.
 *
 * Costs what the runs hold; asked only where something is left to explain.
 */
export async function attemptsSettledSince(
  context: DispatchContext,
  record: Pick<DispatchRecord, 'batchInvocations' | 'dispatchedAt'>,
): Promise<readonly JobContract[]> {
  const runs = await layoutsOfProject(context);
  const found = await Promise.all(
    runs.map(async (layout) => contractsToBeHad(layout, await settledIn(layout, record))),
  );
  return found.flat();
}

/** What of an attempt says whose contract it worked under. */
type WorkingAttempt = Pick<DispatchRecord, 'dispatchId' | 'invocationRef' | 'executionLabel'>;

/** Costs what is open in the run, not what it holds. */
async function aliveIn(layout: RunLayout): Promise<readonly DispatchRecord[]> {
  const { attempts } = await surveyOpenAttempts(layout);
  return attempts.flatMap(({ record }) => (record?.status === 'launching' ? [record] : []));
}

async function settledIn(
  layout: RunLayout,
  { batchInvocations, dispatchedAt }: Pick<DispatchRecord, 'batchInvocations' | 'dispatchedAt'>,
): Promise<readonly WorkingAttempt[]> {
  const { attempts } = await surveyAttempts(layout);
  return attempts.filter(
    ({ invocationRef, finishedAt }) =>
      finishedAt !== null && finishedAt >= dispatchedAt && !batchInvocations.includes(invocationRef),
  );
}

/** One whose contract can't be had explains nothing. */
async function contractsToBeHad(
  layout: RunLayout,
  attempts: readonly WorkingAttempt[],
): Promise<readonly JobContract[]> {
  const found = await mapSeveral(attempts, async ({ dispatchId, invocationRef, executionLabel }) => {
    const contract = await storedContractIn(layout, invocationRef).catch(() => undefined);
    return contract === undefined ? [] : [{ dispatchId, label: labelIn(layout, executionLabel), contract }];
  });
  return found.flat();
}

function labelIn({ runId }: RunLayout, executionLabel: DispatchRecord['executionLabel']): string {
  return `${executionLabel} of ${runId}`;
}

async function layoutsOfProject({ stateRoot }: DispatchContext): Promise<readonly RunLayout[]> {
  return (await listRuns(stateRoot)).map((runId) => layoutOfRun(stateRoot, runId));
}
