import { BackendError, type Placement } from '@bailiwick/backend-contract';
import { BackendKind, type DispatchRecord, writeRecord } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import type { DispatchPlan } from '../plan/job.ts';
import { supervisionOrderOf } from './supervision-order.ts';

/** Where a job runs that its wanted backend has no place for (CX-3). */
const FALLBACK = BackendKind.cliWrapper;

/**
 * Has every backend make the places that its jobs need, and notes in each record where the job will run: in which pane, or on the
 * fallback with what was wanted and why (CX-3). Nothing of the round runs yet and the caller holds the launch lock, so that nobody
 * settles these records meanwhile. Gives the records as they now stand.
 */
export async function placeWorkers(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<readonly DispatchRecord[]> {
  const groups = [...Map.groupBy(records, (record) => record.backend)];
  const placed = await Promise.all(groups.map(([kind, group]) => placeGroup(context, kind, group)));
  const byId = new Map(placed.flat().map((record) => [record.dispatchId, record]));
  return records.map((record) => byId.get(record.dispatchId) ?? record);
}

/** Asks every backend of a plan whether the dispatch may go on at all, before anything is written (CX-4). */
export async function askBackends(context: DispatchContext, { jobs }: DispatchPlan): Promise<void> {
  for (const kind of new Set(jobs.map(({ backend }) => backend))) await context.backends.get(kind)?.preflight?.();
}

/** Says to every backend of a plan that its launch is near. Gives what takes that back; after the launch it does nothing. */
export function prepareBackends(context: DispatchContext, { jobs }: DispatchPlan): () => void {
  const kinds = [...new Set(jobs.map(({ backend }) => backend))];
  const takeBack = kinds.map((kind) => context.backends.get(kind)?.prepare?.());
  return () => {
    for (const one of takeBack) one?.();
  };
}

async function placeGroup(
  context: DispatchContext,
  kind: BackendKind,
  records: readonly DispatchRecord[],
): Promise<readonly DispatchRecord[]> {
  const backend = context.backends.get(kind);
  if (backend?.place === undefined) return records;
  const placement = await backend.place(await supervisionOrderOf(context, records));
  const changed = records.map((record) => placedRecord(record, placement));
  if (changed.some((record) => record.backend !== kind)) requireFallback(context, placement);
  for (const record of changed) await writeRecord(context.layout, record);
  return changed;
}

/** A job that is neither placed nor refused counts as refused. */
function placedRecord(record: DispatchRecord, { placed, refused }: Placement): DispatchRecord {
  const place = placed.find(({ dispatchId }) => dispatchId === record.dispatchId)?.place;
  if (place !== undefined) return { ...record, paneId: place };
  const refusal = refused.find(({ dispatchId }) => dispatchId === record.dispatchId);
  return {
    ...record,
    backend: FALLBACK,
    degradedFrom: record.backend,
    degradedReason: refusal?.reason ?? `${record.backend} said nothing of it`,
  };
}

function requireFallback(context: DispatchContext, { refused }: Placement): void {
  if (context.backends.has(FALLBACK)) return;
  const words = refused.map(({ dispatchId, reason }) => `${dispatchId}: ${reason}`).join('; ');
  throw new BackendError('BACKEND_UNAVAILABLE', `no place, and no ${FALLBACK} to fall back to: ${words}`);
}
