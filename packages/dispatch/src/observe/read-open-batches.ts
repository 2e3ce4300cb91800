import {
  createRecordMemory,
  type DispatchRecord,
  dropMarker,
  type RecordMemory,
  readRecord,
  readSidecar,
  surveyOpenAttempts,
  withRunLock,
} from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { mapSeveral } from '../several-at-once.ts';
import type { ObservedAttempt } from './decide-batch.ts';

/** What is open in a run: batches that can be looked at, and documents that can't be read, which hold up no other batch (AW-3). */
export interface OpenBatches {
  readonly batches: ReadonlyMap<BatchId, readonly ObservedAttempt[]>;
  /** `batchId` is null where it's the record that can't be read: which batch it belongs to isn't known. */
  readonly unreadable: readonly { readonly batchId: BatchId | null; readonly error: unknown }[];
}

/** Every open attempt of the run, by batch, with what its supervisor said; `memory` of the look before. */
export async function readOpenBatches(
  context: DispatchContext,
  memory: RecordMemory = createRecordMemory(),
): Promise<OpenBatches> {
  const observe = async (record: DispatchRecord) => ({ record, sidecar: await memory.readSidecar(record) });
  const { attempts, unreadable } = await surveyOpenAttempts(context.layout, memory);
  if (attempts.some(({ record }) => record === undefined)) await dropDeadMarkers(context);
  const records = attempts.flatMap(({ record }) => (record === undefined ? [] : [record]));
  const batches = new Map<BatchId, readonly ObservedAttempt[]>();
  const failures = unreadable.map(({ error }): OpenBatches['unreadable'][number] => ({ batchId: null, error }));
  for (const [batchId, group] of Map.groupBy(records, (record) => record.batchId)) {
    try {
      batches.set(batchId, await mapSeveral(group, observe));
    } catch (error) {
      failures.push({ batchId, error });
    }
  }
  return { batches, unreadable: failures };
}

/** Under the run lock no claim is half-way: a marker without a record is what a killed claim left, and nothing came of it. */
async function dropDeadMarkers(context: DispatchContext): Promise<void> {
  await withRunLock(context.layout, async () => {
    const { attempts } = await surveyOpenAttempts(context.layout);
    const dead = attempts.filter(({ record }) => record === undefined);
    for (const { markerName } of dead) await dropMarker(context.layout, markerName);
  });
}

/** An attempt as it is on disk now, whatever was seen of it before. */
export async function reread(context: DispatchContext, known: DispatchRecord): Promise<ObservedAttempt> {
  const record = (await readRecord(context.layout, known.dispatchId)) ?? known;
  return { record, sidecar: await readSidecar(record.statusSidecarPath) };
}
