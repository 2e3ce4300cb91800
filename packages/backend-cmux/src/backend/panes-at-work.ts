import type {
  AttemptAddress,
  LaunchOptions,
  LaunchReport,
  Liveness,
  Placement,
  StageHint,
  StopOptions,
  StopOutcome,
} from '@bailiwick/backend-contract';
import type { SupervisionOrder } from '@bailiwick/dispatch-state';
import { isLocked } from '@bailiwick/durable-files';
import { readPane } from '../panes/pane-document.ts';
import { SidebarRelay } from '../sidebar/relay.ts';
import type { CmuxBackend, ReleasedAttempt } from './cmux-backend.ts';
import { launchOrder } from './launch-order.ts';
import { LeadFinder } from './lead.ts';
import { locate } from './located.ts';
import { type CmuxBackendOptions, DEFAULT_PANE_LAUNCH_TIMEOUT_MS } from './options.ts';
import { type PlacedOrder, placeOrder, type WaitingPane } from './place-order.ts';
import { closePanes, stopAttempts } from './stop-attempts.ts';

/** What a backend of panes does once something is asked of it. */
export type PanesAtWork = Required<Omit<CmuxBackend, 'kind' | 'capabilities' | 'prepare'>>;

/** The work behind `createCmuxBackend`; one connection, made at the first need. */
export function panesAtWork(options: CmuxBackendOptions): PanesAtWork {
  const finder = new LeadFinder(options);
  const waiting = new Map<string, WaitingPane>();
  const parts = { supervised: options.supervised, client: () => finder.clientOrNothing() };
  const sidebar = new SidebarRelay(async () => {
    const lead = await finder.find();
    return lead.kind === 'ready' && lead.caller !== null
      ? { client: lead.client, workspaceId: lead.caller.workspaceId }
      : undefined;
  });
  let releasing: Promise<void> = Promise.resolve();
  return {
    preflight: () => finder.refuseWalledOff(),
    place: async (order: SupervisionOrder): Promise<Placement> => {
      await finder.refuseWalledOff();
      const result = await placeOrder(order, await finder.find(), options);
      for (const pane of result.waiting)
        for (const { dispatchId } of pane.share.order.jobs) waiting.set(dispatchId, pane);
      return result.placement;
    },
    launch: async (order: SupervisionOrder, launchOptions: LaunchOptions): Promise<LaunchReport> => {
      launchOptions.signal?.throwIfAborted();
      await finder.refuseWalledOff();
      const known = takeWaiting(waiting, order);
      const placed = known ?? (await placeOrder(order, await finder.find(), options));
      const timeoutMs = options.launchTimeoutMs ?? DEFAULT_PANE_LAUNCH_TIMEOUT_MS;
      return launchOrder(order, placed, { ...launchOptions, timeoutMs });
    },
    probe: async (attempt: AttemptAddress): Promise<Liveness> => {
      const { address } = await locate(attempt);
      return options.supervised.probe(address);
    },
    observe: async (
      attempts: readonly AttemptAddress[],
      onHint: (hint: StageHint) => void,
      signal: AbortSignal,
    ): Promise<void> => {
      const located = await Promise.all(attempts.map(locate));
      await options.supervised.observe(
        located.map(({ address }) => address),
        onHint,
        signal,
      );
    },
    stop: (attempts: readonly AttemptAddress[], stopOptions: StopOptions): Promise<readonly StopOutcome[]> =>
      stopAttempts(attempts, stopOptions, parts),
    relay: (event) => sidebar.tell(event),
    release: (attempt) => {
      releasing = releasing.then(() => releaseOne(attempt, parts)).catch(() => undefined);
    },
    close: async () => {
      await releasing;
      await sidebar.clear();
      for (const { link } of waiting.values()) link.close();
      await finder.close();
      await options.supervised.close();
    },
  };
}

/** The panes that were made for these jobs, which are used up; undefined where a job has none. */
function takeWaiting(waiting: Map<string, WaitingPane>, order: SupervisionOrder): PlacedOrder | undefined {
  const panes = order.jobs.map(({ dispatchId }) => waiting.get(dispatchId));
  if (panes.includes(undefined)) return undefined;
  for (const { dispatchId } of order.jobs) waiting.delete(dispatchId);
  const own = [...new Set(panes)].filter((pane) => pane !== undefined);
  return { placement: { placed: [], refused: [] }, waiting: own };
}

/** Nobody waits for it, and a pane that is let go of too late stays open. */
const RELEASE_MS = 15_000;

/** The last attempt of a pane takes it along; one before it only where nothing follows any more. */
async function releaseOne(attempt: ReleasedAttempt, parts: Parameters<typeof closePanes>[1]): Promise<void> {
  const pane = await readPane(attempt);
  if (pane === undefined) return;
  const isLast = pane.dispatchIds.at(-1) === attempt.dispatchId;
  if (isLast || !isLocked(pane.liveLockPath))
    await closePanes([{ sidecarPath: attempt.sidecarPath, pane }], parts, RELEASE_MS);
}
