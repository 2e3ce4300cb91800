import type { LaunchReport } from '@bailiwick/backend-contract';
import { BackendError } from '@bailiwick/backend-contract';
import type { BackendKind, DispatchRecord } from '@bailiwick/dispatch-state';
import { type DispatchContext, timestampOf } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { appendMissingEvents } from '../settle/append-events.ts';
import { dispatchedEvent } from '../settle/lead-event.ts';
import { placeWorkers } from './place-workers.ts';
import { supervisionOrderOf } from './supervision-order.ts';

/**
 * Gives a round's workers their places and starts them, gated, through their backends; `onOwned` is called once every supervisor owns its attempts.
 * Throws where a single one didn't start: the caller ends the others (BA-3).
 */
export async function startWorkers(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  onOwned: () => void,
): Promise<void> {
  const placed = await placeWorkers(context, records);
  const groups = launchOrderOf(context, placed);
  let owned = 0;
  const onReady = (): void => {
    owned += 1;
    if (owned === groups.length) onOwned();
  };
  const reports: LaunchReport[] = [];
  // One after the other: a launch that fails leaves those after it undone, and the ones before it are ended by the caller.
  for (const [kind, group] of groups) reports.push(await launchGroup(context, kind, { group, onReady }));
  refuseFailedStarts(reports);
  await announce(context, placed);
}

/** By backend; first those whose one supervisor needs the batch's live lock, which the supervisors of places only share in turns. */
function launchOrderOf(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): readonly (readonly [BackendKind, readonly DispatchRecord[]])[] {
  const groups = [...Map.groupBy(records, (record) => record.backend)];
  const needsPlaces = ([kind]: (typeof groups)[number]): number =>
    context.backends.get(kind)?.place === undefined ? 0 : 1;
  return groups.toSorted((a, b) => needsPlaces(a) - needsPlaces(b));
}

async function launchGroup(
  context: DispatchContext,
  kind: BackendKind,
  { group, onReady }: { readonly group: readonly DispatchRecord[]; readonly onReady: () => void },
): Promise<LaunchReport> {
  const backend = context.backends.get(kind);
  if (backend === undefined) throw new DispatchError('BACKEND_UNSUPPORTED', `no backend "${kind}" here`);
  return backend.launch(await supervisionOrderOf(context, group), { onReady });
}

function refuseFailedStarts(reports: readonly LaunchReport[]): void {
  const failed = reports.flatMap((report) => report.failed);
  if (failed.length === 0) return;
  const words = failed.map((row) => `${row.dispatchId}: ${row.reason}`).join('; ');
  throw new BackendError('LAUNCH_FAILED', `not started: ${words}`);
}

async function announce(context: DispatchContext, records: readonly DispatchRecord[]): Promise<void> {
  const at = timestampOf(context);
  await appendMissingEvents(
    context,
    records.map((record) => ({ record, events: [dispatchedEvent(record, at)] })),
  );
  for (const record of records)
    context.onProgress({ kind: record.attempt === 1 ? 'launched' : 'retry-launched', record });
}
