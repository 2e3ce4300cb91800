import { closeAttempt, type DispatchRecord, readRecord } from '@bailiwick/dispatch-state';
import { type DispatchContext, timestampOf } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import { appendMissingEvents, noteFailures } from './append-events.ts';
import { owedEvents } from './lead-event.ts';
import { throwLayerAway } from './look-into-layer.ts';

/**
 * Brings events, error rows and markers into line with terminal records, all with as few flushes as one; safe to repeat. Says of each
 * record, in their order, whether nothing is owed of it any more. One that can't be finished holds up no other; its error is thrown
 * when the others are done.
 */
export async function finishAttempts(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<readonly boolean[]> {
  if (records.length === 0) return [];
  try {
    return await finishTogether(context, records);
  } catch (error) {
    if (records.length === 1) throw error;
    return finishEach(context, records);
  }
}

async function finishTogether(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<readonly boolean[]> {
  const at = timestampOf(context);
  const failed = records.filter(({ status }) => status !== 'completed');
  const appends = await noteFailures(context, failed, at);
  const appendOf = new Map(failed.map(({ dispatchId }, index) => [dispatchId, appends[index] ?? null]));
  const owed = records.map((record) => ({
    record,
    events: owedEvents(record, at, appendOf.get(record.dispatchId) ?? null),
  }));
  await appendMissingEvents(context, owed);
  return mapSeveral(records, (record) => closeWhereDone(context, record));
}

async function finishEach(context: DispatchContext, records: readonly DispatchRecord[]): Promise<readonly boolean[]> {
  const finished: boolean[] = [];
  const failures: unknown[] = [];
  for (const record of records) {
    try {
      finished.push(...(await finishTogether(context, [record])));
    } catch (error) {
      failures.push(error);
    }
  }
  for (const failure of failures) throw failure;
  return finished;
}

async function closeWhereDone(context: DispatchContext, record: DispatchRecord): Promise<boolean> {
  await throwLayerAway(context, record);
  if (await owesRetry(context, record)) return false;
  await closeAttempt(context.layout, record.dispatchId);
  return true;
}

/** The marker of an attempt stays until the retry that was decided has a record of its own (RT-4). */
async function owesRetry(context: DispatchContext, record: DispatchRecord): Promise<boolean> {
  return record.retry !== null && (await readRecord(context.layout, record.retry.successor)) === undefined;
}
