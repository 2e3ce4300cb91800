import { BackendError, type FailedStart, type LaunchOptions, type LaunchReport } from '@bailiwick/backend-contract';
import type { SupervisionOrder } from '@bailiwick/dispatch-state';
import { encodeEnvelope } from '../pane/envelope.ts';
import type { HeardLines } from '../panes/pane-link.ts';
import type { PlacedOrder, WaitingPane } from './place-order.ts';

interface PaneResult {
  readonly pane: WaitingPane;
  readonly heard: HeardLines;
}

/**
 * Hands each waiting program its share and listens until all have told of every job. `onReady` is called when each of them either
 * owns its attempts or never will. Throws BackendError: BACKEND_UNAVAILABLE where there is no place at all, LAUNCH_FAILED where no
 * supervisor came up; nothing has run in either case.
 */
export async function launchOrder(
  order: SupervisionOrder,
  { placement, waiting }: PlacedOrder,
  options: LaunchOptions & { readonly timeoutMs: number },
): Promise<LaunchReport> {
  if (waiting.length === 0) throw unavailable(order, placement.refused);
  let settled = 0;
  const settle = (): void => {
    settled += 1;
    if (settled === waiting.length) options.onReady();
  };
  const results = await Promise.all(waiting.map((pane) => handTo(order, pane, { ...options, settle })));
  if (!results.some(isReady)) throw launchFailed(order, results);
  const reports = results.map(reportOf);
  return {
    started: reports.flatMap(({ started }) => started),
    queued: reports.flatMap(({ queued }) => queued),
    failed: [...placement.refused, ...reports.flatMap(({ failed }) => failed)],
  };
}

async function handTo(
  batch: SupervisionOrder,
  pane: WaitingPane,
  o: LaunchOptions & { readonly timeoutMs: number; readonly settle: () => void },
): Promise<PaneResult> {
  const { order } = pane.share;
  const envelope = encodeEnvelope({
    schemaVersion: '1.0',
    batchLockPath: batch.liveLockPath,
    heading: `${pane.pane.title}: ${order.jobs.map(({ dispatchId }) => dispatchId).join(', ')}`,
    order,
  });
  let isSettled = false;
  const settleOnce = (): void => {
    if (!isSettled) o.settle();
    isSettled = true;
  };
  const heard = await pane.link.hand(envelope, {
    timeoutMs: o.timeoutMs,
    onLine: (line) => line.kind === 'ready' && settleOnce(),
    ...(o.signal && { signal: o.signal }),
  });
  settleOnce();
  pane.link.close();
  await pane.folder.remove();
  return { pane, heard };
}

function isReady({ heard }: PaneResult): boolean {
  return heard.lines.some(({ kind }) => kind === 'ready');
}

function reportOf({ pane, heard }: PaneResult): LaunchReport {
  const started = heard.lines.filter((line) => line.kind === 'started');
  const queued = heard.lines.filter((line) => line.kind === 'queued').map(({ dispatchId }) => dispatchId);
  const failed = heard.lines.filter((line) => line.kind === 'failed');
  const told = new Set<string>([...started, ...failed].map(({ dispatchId }) => dispatchId).concat(queued));
  const untold = pane.share.order.jobs.filter(({ dispatchId }) => !told.has(dispatchId));
  return {
    started: started.map(({ dispatchId, process }) => ({ dispatchId, process })),
    queued,
    failed: [
      ...failed.map(({ dispatchId, reason }): FailedStart => ({ dispatchId, reason })),
      ...untold.map(
        ({ dispatchId }): FailedStart => ({ dispatchId, reason: `its supervisor never told of it: ${whyOf(heard)}` }),
      ),
    ],
  };
}

function unavailable(order: SupervisionOrder, refused: readonly FailedStart[]): BackendError {
  const reasons = [...new Set(refused.map(({ reason }) => reason))].join('; ');
  return new BackendError('BACKEND_UNAVAILABLE', `no pane for batch ${order.batchId}: ${reasons}`, {
    hint: '`bailiwick doctor` explains where this stands towards cmux',
  });
}

function launchFailed(order: SupervisionOrder, results: readonly PaneResult[]): BackendError {
  const reasons = [...new Set(results.map(({ heard }) => whyOf(heard)))].join('; ');
  return new BackendError('LAUNCH_FAILED', `no supervisor came up for batch ${order.batchId}: ${reasons}`, {
    hint: 'nothing of the order has run; correct the reason and dispatch again',
  });
}

function whyOf({ lines, end }: HeardLines): string {
  const refusal = lines.find((line) => line.kind === 'refused');
  if (refusal !== undefined) return `${refusal.reason} (${refusal.code})`;
  if (end === 'silent') return 'it said nothing for too long';
  return end === 'aborted' ? 'the launch was aborted' : 'it ended before it had told';
}
