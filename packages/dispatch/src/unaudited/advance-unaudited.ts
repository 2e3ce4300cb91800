import type { StopOutcome } from '@bailiwick/backend-contract';
import { readOpenUnaudited, readSidecar, surveyUnaudited, type UnauditedRecord } from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { isOwned } from '../observe/advance-batch.ts';
import { addressOf } from '../observe/attempt-address.ts';
import { settleUnaudited, tellUnaudited } from './settle-unaudited.ts';

/** What is open of a run's v1 jobs, and whether this look at them settled any. */
export interface UnauditedProgress {
  readonly open: readonly UnauditedRecord[];
  readonly hasAdvanced: boolean;
}

/** Settles those v1 jobs of the run that nobody owns any more; `batchIds` narrows it. */
export async function advanceUnaudited(
  context: DispatchContext,
  batchIds: ReadonlySet<BatchId> | undefined,
): Promise<UnauditedProgress> {
  const records = await readOpenUnaudited(context.layout);
  const open = records.filter((record) => batchIds?.has(record.batchId) ?? true);
  let hasAdvanced = false;
  for (const record of open)
    if (!isOwned(context, record.batchId) && (await settleUnaudited(context, record))) hasAdvanced = true;
  return { open, hasAdvanced };
}

/** What a settlement of a v1 job left undone that was cut off after its record, once at the beginning of an await. */
export async function finishUnaudited(context: DispatchContext): Promise<void> {
  await tellUnaudited(context, (await surveyUnaudited(context.layout)).records);
}

/** Ends the workers of v1 jobs with everything they started; settling is `awaitRun`'s. */
export async function interruptUnaudited(
  context: DispatchContext,
  records: readonly UnauditedRecord[],
  o: { readonly by: string; readonly graceMs: number },
): Promise<readonly StopOutcome[]> {
  const outcomes: StopOutcome[] = [];
  for (const record of records) {
    const address = addressOf(context, record, await readSidecar(record.statusSidecarPath));
    outcomes.push(...((await context.backends.get(record.backend)?.stop([address], o)) ?? []));
  }
  return outcomes;
}
