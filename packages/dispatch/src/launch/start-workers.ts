import type { LaunchReport } from '@bailiwick/backend-contract';
import { BackendError } from '@bailiwick/backend-contract';
import type { BackendKind, DispatchRecord } from '@bailiwick/dispatch-state';
import { type DispatchContext, timestampOf } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { appendMissingEvents } from '../settle/append-events.ts';
import { dispatchedEvent } from '../settle/lead-event.ts';
import { supervisionOrderOf } from './supervision-order.ts';

/**
 * Starts a round's workers, gated, through their backends; `onOwned` is called once every supervisor owns its attempts.
 * Throws where a single one didn't start: the caller ends the others (BA-3).
 */
export async function startWorkers(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  onOwned: () => void,
): Promise<void> {
  const groups = byBackend(records);
  let owned = 0;
  const onReady = (): void => {
    owned += 1;
    if (owned === groups.size) onOwned();
  };
  const launches = await Promise.allSettled(
    [...groups].map(([kind, group]) => launchGroup(context, kind, group, onReady)),
  );
  // Nothing is judged before every backend has answered: a launch that is still under way couldn't be ended.
  const reports = launches.map((launch) => {
    if (launch.status === 'rejected') throw launch.reason;
    return launch.value;
  });
  refuseFailedStarts(reports);
  await announce(context, records);
}

function byBackend(records: readonly DispatchRecord[]): ReadonlyMap<BackendKind, readonly DispatchRecord[]> {
  return Map.groupBy(records, (record) => record.backend);
}

async function launchGroup(
  context: DispatchContext,
  kind: BackendKind,
  records: readonly DispatchRecord[],
  onReady: () => void,
): Promise<LaunchReport> {
  const backend = context.backends.get(kind);
  if (backend === undefined) throw new DispatchError('BACKEND_UNSUPPORTED', `no backend "${kind}" here`);
  return backend.launch(await supervisionOrderOf(context, records), { onReady });
}

function refuseFailedStarts(reports: readonly LaunchReport[]): void {
  const failed = reports.flatMap((report) => report.failed);
  if (failed.length === 0) return;
  const words = failed.map((row) => `${row.dispatchId}: ${row.reason}`).join('; ');
  throw new BackendError('LAUNCH_FAILED', `not started: ${words}`);
}

async function announce(context: DispatchContext, records: readonly DispatchRecord[]): Promise<void> {
  for (const record of records) {
    await appendMissingEvents(context, record, [dispatchedEvent(record, timestampOf(context))]);
    context.onProgress({ kind: record.attempt === 1 ? 'launched' : 'retry-launched', record });
  }
}
