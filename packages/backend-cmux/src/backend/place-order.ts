import { randomUUID } from 'node:crypto';
import { BackendError, type FailedStart, type PlacedJob, type Placement } from '@bailiwick/backend-contract';
import type { SupervisedJob, SupervisionOrder } from '@bailiwick/dispatch-state';
import { isLocked, readTextFile } from '@bailiwick/durable-files';
import { z } from 'zod';
import type { CmuxClient } from '../client/cmux-client.ts';
import { messageOf } from '../errors.ts';
import { closeSurface } from '../panes/close-surface.ts';
import { makePaneFolder, type PaneFolder, typedLine } from '../panes/launcher.ts';
import { type OpenedSurface, openSurface, openWorkspace } from '../panes/open-surface.ts';
import { isOnRecordAsOpen, type PaneDocument, readPane, writePane } from '../panes/pane-document.ts';
import { openPaneLink, type PaneLink } from '../panes/pane-link.ts';
import { summonProgram } from '../panes/summon.ts';
import type { Caller } from '../standing/identity.ts';
import type { Lead } from './lead.ts';
import type { CmuxBackendOptions } from './options.ts';
import { type PaneShare, shareOut } from './split-order.ts';

/** A pane in which a program waits for the order of its share. */
export interface WaitingPane {
  readonly share: PaneShare;
  readonly link: PaneLink;
  readonly folder: PaneFolder;
  readonly pane: PaneDocument;
}

/** What placing came to, with the panes that wait. */
export interface PlacedOrder {
  readonly placement: Placement;
  readonly waiting: readonly WaitingPane[];
}

/**
 * Opens a pane for each share of an order and has a program come up in it, which waits. Nothing of the order runs yet, so that a
 * share that can't be placed may run elsewhere. Throws BackendError LAUNCH_FAILED where the batch has a supervisor already.
 */
export async function placeOrder(
  order: SupervisionOrder,
  lead: Lead,
  options: CmuxBackendOptions,
): Promise<PlacedOrder> {
  const shares = shareOut(order);
  for (const share of shares) refuseSupervised(share, order);
  if (lead.kind === 'refused') return refuseAll(shares, lead.reason);
  const placer = new Placer(lead, options);
  const results = [];
  for (const share of shares) results.push(await placer.place(share));
  const waiting = results.flatMap((result) => (typeof result === 'string' ? [] : [result]));
  const placed = waiting.flatMap(({ share, pane }): readonly PlacedJob[] =>
    share.order.jobs.map(({ dispatchId }) => ({ dispatchId, place: pane.surfaceId ?? '' })),
  );
  const refused = results.flatMap((result, at) =>
    typeof result === 'string' ? refusalsOf(shares.slice(at, at + 1), result) : [],
  );
  return { placement: { placed, refused }, waiting };
}

function refuseSupervised({ order }: PaneShare, { batchId }: SupervisionOrder): void {
  if (isLocked(order.liveLockPath))
    throw new BackendError('LAUNCH_FAILED', `another supervisor runs batch ${batchId}`, {
      hint: '`bailiwick team await` waits for it',
    });
}

function refuseAll(shares: readonly PaneShare[], reason: string): PlacedOrder {
  return { placement: { placed: [], refused: refusalsOf(shares, reason) }, waiting: [] };
}

function refusalsOf(shares: readonly PaneShare[], reason: string): readonly FailedStart[] {
  return shares.flatMap(({ order }) => order.jobs.map(({ dispatchId }) => ({ dispatchId, reason })));
}

/** How often a pane that a person closed at once is opened anew. */
const MAX_OPENINGS = 3;

class Placer {
  readonly #client: CmuxClient;
  readonly #options: CmuxBackendOptions;
  readonly #caller: Caller | null;
  /** The pane that was opened last: the next one goes below it. */
  #last: OpenedSurface | undefined;

  constructor(lead: Extract<Lead, { kind: 'ready' }>, options: CmuxBackendOptions) {
    this.#client = lead.client;
    this.#caller = lead.caller;
    this.#options = options;
  }

  /** The waiting pane, or why there is none. */
  async place(share: PaneShare): Promise<WaitingPane | string> {
    let why = '';
    const earlier = await readPane(share.first);
    if (earlier !== undefined && isOnRecordAsOpen(earlier)) await this.#takeBack(share, earlier);
    for (let opening = 1; opening <= MAX_OPENINGS; opening += 1) {
      const result = await this.#tryPlace(share);
      if (typeof result !== 'string') return result;
      why = result;
    }
    return why;
  }

  async #tryPlace(share: PaneShare): Promise<WaitingPane | string> {
    const { runtimeFolder, program, patienceMs } = this.#options;
    const folder = await makePaneFolder(runtimeFolder, program);
    const link = await openPaneLink(folder.socketPath);
    const giveUp = async (reason: string, pane?: PaneDocument): Promise<string> => {
      link.close(); // from here on nothing can start there any more
      if (pane !== undefined) await this.#takeBack(share, pane);
      await folder.remove();
      return reason;
    };
    let pane: PaneDocument | undefined;
    try {
      const { document, surface } = await this.#open(share, folder);
      pane = document;
      const line = typedLine(folder);
      const why = await summonProgram(this.#client, surface, { line, link, ...(patienceMs && { patienceMs }) });
      return why === undefined ? { share, link, folder, pane } : await giveUp(why, pane);
    } catch (error) {
      const known = pane ?? (await readPane(share.first));
      return giveUp(`no pane: ${messageOf(error)}`, known);
    }
  }

  /** The document stands before the app is asked (intent before effect), and again with the ids. */
  async #open(
    share: PaneShare,
    folder: PaneFolder,
  ): Promise<{ readonly document: PaneDocument; readonly surface: OpenedSurface }> {
    const title = await titleOf(share.first);
    const caller = this.#caller;
    const opening: PaneDocument = {
      schemaVersion: '1.0',
      state: 'opening',
      dispatchIds: share.order.jobs.map(({ dispatchId }) => dispatchId),
      title,
      workspaceId: this.#last?.workspaceId ?? caller?.workspaceId ?? null,
      surfaceId: null,
      marker: folder.path,
      isOwnWorkspace: caller === null,
      liveLockPath: share.order.liveLockPath,
      openedAt: new Date().toISOString(),
    };
    await writePane(share.first.sidecarPath, opening);
    const surface = await this.#openSurface(title, folder);
    const found: PaneDocument = { ...opening, ...surface };
    await writePane(share.first.sidecarPath, found);
    this.#last = surface;
    const { workspaceId: workspace_id, surfaceId: surface_id } = surface;
    await this.#client.call('tab.action', { action: 'rename', title, workspace_id, surface_id });
    const open: PaneDocument = { ...found, state: 'open' };
    await writePane(share.first.sidecarPath, open);
    return { document: open, surface };
  }

  async #openSurface(title: string, folder: PaneFolder): Promise<OpenedSurface> {
    const caller = this.#caller;
    const beside = this.#last ?? caller;
    if (beside === null || beside === undefined)
      return openWorkspace(this.#client, { title, marker: folder.path, operationId: randomUUID() });
    const request = {
      workspaceId: beside.workspaceId,
      besideId: beside.surfaceId,
      direction: this.#last === undefined ? 'right' : 'down',
      marker: folder.path,
    } as const;
    try {
      return await openSurface(this.#client, request);
    } catch (error) {
      if (this.#last === undefined) throw error;
      // A person may have closed the pane below which this one was to go.
      this.#last = undefined;
      return this.#openSurface(title, folder);
    }
  }

  /** A pane in which nothing came up is closed again; what can't be closed stays on record. */
  async #takeBack({ first }: PaneShare, pane: PaneDocument): Promise<void> {
    const state = await closeSurface(this.#client, pane).catch(() => undefined);
    if (state !== undefined) await writePane(first.sidecarPath, { ...pane, state });
    this.#last = undefined;
  }
}

/** Records of either generation: the owner's codec would refuse the other one. */
const Named = z.looseObject({ executionLabel: z.string().optional(), workerId: z.string().optional() });

/** CX-2 */
async function titleOf(job: SupervisedJob): Promise<string> {
  const parsed = Named.safeParse(JSON.parse((await readTextFile(job.recordPath)) ?? 'null'));
  const { executionLabel, workerId } = parsed.success ? parsed.data : {};
  return executionLabel ?? (workerId === undefined ? job.dispatchId : `${workerId}-worker`);
}
