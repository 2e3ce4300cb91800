import type { StopOutcome } from '@bailiwick/backend-contract';
import { type DispatchRecord, withRunLock, workerOfRecord, writeStopIntent } from '@bailiwick/dispatch-state';
import type { WorkerId } from '@bailiwick/execution-identity';
import { type DispatchContext, timestampOf } from '../context.ts';
import { addressOf } from '../observe/attempt-address.ts';
import type { ObservedAttempt } from '../observe/decide-batch.ts';
import { readOpenBatches } from '../observe/read-open-batches.ts';

/** Whom to stop, for whom, and with how much time to end politely. */
export interface StopRequest {
  /** Workers to stop; empty stops all of the run. */
  readonly workerIds: readonly WorkerId[];
  readonly by: string;
  readonly graceMs: number;
}

/**
 * Writes the durable intent for each worker first, then ends what runs of them (AW-6). Settling is `awaitRun`'s: each ended
 * attempt is audited and becomes `stopped` (ST-9).
 */
export async function stopWorkers(context: DispatchContext, request: StopRequest): Promise<readonly StopOutcome[]> {
  const all = context.manifest.participants.map((row) => row.workerId);
  const workerIds = request.workerIds.length === 0 ? all : request.workerIds;
  await withRunLock(context.layout, async () => {
    for (const workerId of workerIds)
      await writeStopIntent(context.layout, {
        schemaVersion: '1.0',
        workerId,
        by: request.by,
        at: timestampOf(context),
      });
  });
  return endAttempts(context, request, (record) => workerIds.includes(workerOfRecord(record, context.manifest)));
}

/** Ends the workers of given attempts without a lasting intent: what an interrupted command does to what it launched. */
export async function interruptAttempts(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  o: { readonly by: string; readonly graceMs: number },
): Promise<readonly StopOutcome[]> {
  const ids = new Set(records.map((record) => record.dispatchId));
  return endAttempts(context, o, (record) => ids.has(record.dispatchId));
}

async function endAttempts(
  context: DispatchContext,
  o: { readonly by: string; readonly graceMs: number },
  isMeant: (record: DispatchRecord) => boolean,
): Promise<readonly StopOutcome[]> {
  const { batches, unreadable } = await readOpenBatches(context);
  const meant = [...batches.values()].flat().filter(({ record }) => record.status === 'launching' && isMeant(record));
  const outcomes: StopOutcome[] = [];
  for (const [kind, group] of Map.groupBy(meant, ({ record }) => record.backend))
    outcomes.push(
      ...((await context.backends.get(kind)?.stop(
        group.map((one) => address(context, one)),
        o,
      )) ?? []),
    );
  // What can be ended is ended first; then it is said that something could not even be looked at.
  for (const { error } of unreadable) throw error;
  return outcomes;
}

function address(context: DispatchContext, { record, sidecar }: ObservedAttempt) {
  return addressOf(context, record, sidecar);
}
