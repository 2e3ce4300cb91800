import { setTimeout as pause } from 'node:timers/promises';
import { type AttemptAddress, STOPPED_AS_LOST, type StopOptions, type StopOutcome } from '@bailiwick/backend-contract';
import { isLocked } from '@bailiwick/durable-files';
import type { CmuxClient } from '../client/cmux-client.ts';
import { closeSurface, standingOf } from '../panes/close-surface.ts';
import { isOnRecordAsOpen, type PaneDocument, writePane } from '../panes/pane-document.ts';
import { type LocatedAttempt, locate } from './located.ts';
import type { CmuxBackendOptions } from './options.ts';

interface StopParts {
  readonly supervised: CmuxBackendOptions['supervised'];
  /** Resolves to nothing where the app can't be asked: then panes stay, and stay on record. */
  readonly client: () => Promise<CmuxClient | undefined>;
}

/**
 * Ends attempts through the supervisors in their panes, and closes the panes that have nothing left to run. Interrupts where a
 * supervisor can't be told otherwise. A stop as lost finds out whether a pane had gone: the record says so.
 */
export async function stopAttempts(
  attempts: readonly AttemptAddress[],
  options: StopOptions,
  parts: StopParts,
): Promise<readonly StopOutcome[]> {
  const located = await Promise.all(attempts.map(locate));
  const isLost = options.by === STOPPED_AS_LOST;
  const alive = isLost
    ? located.filter(({ address, pane }) => pane !== undefined && isLocked(address.liveLockPath))
    : [];
  const notes = isLost ? await findVanished(located, parts) : new Map<string, string>();
  const meant = located.filter((one) => !alive.includes(one));
  for (const one of meant) if (!isLost) await interrupt(one, parts);
  const outcomes = await parts.supervised.stop(
    meant.map(({ address }) => address),
    options,
  );
  await closePanes(
    meant.map(({ address, pane }) => ({ sidecarPath: address.sidecarPath, pane })),
    parts,
  );
  return [...outcomes.map((outcome) => noted(outcome, notes)), ...alive.map(stillAlive)];
}

/** Its own supervisor lives: nobody may settle it, whatever the batch's lock said for a moment. */
function stillAlive({ address }: LocatedAttempt): StopOutcome {
  return { dispatchId: address.dispatchId, isGone: false, endProof: 'unknown', endedProcesses: 0 };
}

function noted(outcome: StopOutcome, notes: ReadonlyMap<string, string>): StopOutcome {
  const note = notes.get(outcome.dispatchId);
  return note === undefined ? outcome : { ...outcome, note };
}

async function findVanished(
  located: readonly LocatedAttempt[],
  parts: StopParts,
): Promise<ReadonlyMap<string, string>> {
  const notes = new Map<string, string>();
  for (const { address, pane } of located) {
    if (pane === undefined) continue;
    const client = await parts.client();
    const standing = client === undefined ? undefined : await standingOf(client, pane).catch(() => undefined);
    if (standing?.kind === 'vanished')
      notes.set(address.dispatchId, 'its pane had been closed, or cmux was started anew');
  }
  return notes;
}

/** Ctrl-C in the pane of a supervisor that no socket leads to; the stop itself follows either way. */
async function interrupt({ address, pane }: LocatedAttempt, parts: StopParts): Promise<void> {
  if (pane === undefined || pane.surfaceId === null || address.socketPath !== null) return;
  if (!isLocked(address.liveLockPath)) return;
  const client = await parts.client();
  if (client === undefined) return;
  const standing = await standingOf(client, pane).catch(() => undefined);
  if (standing?.kind !== 'ours') return;
  const ids = { workspace_id: standing.surface.workspaceId, surface_id: standing.surface.surfaceId };
  await client.call('surface.send_key', { ...ids, key: 'ctrl-c' }).catch(() => undefined);
}

/** A supervisor lets go of its lock shortly after its last sidecar; on a busy machine it takes a while. */
const LET_GO_MS = 3_000;
const LOOK_EVERY_MS = 20;

/** Closes the panes that have nothing left to run; one whose supervisor goes on with another attempt stays. */
export async function closePanes(
  located: readonly { readonly sidecarPath: string; readonly pane: PaneDocument | undefined }[],
  parts: Pick<StopParts, 'client'>,
  letGoMs: number = LET_GO_MS,
): Promise<void> {
  const byMarker = new Map<string, { readonly sidecarPath: string; readonly pane: PaneDocument }>();
  for (const { sidecarPath, pane } of located) if (pane !== undefined) byMarker.set(pane.marker, { sidecarPath, pane });
  for (const { sidecarPath, pane } of byMarker.values()) {
    if (isOnRecordAsOpen(pane) && (await isLetGo(pane, letGoMs))) await closePane(sidecarPath, pane, parts);
  }
}

async function isLetGo({ liveLockPath }: PaneDocument, letGoMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + letGoMs;
  while (isLocked(liveLockPath)) {
    if (performance.now() > deadlineMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

async function closePane(sidecarPath: string, pane: PaneDocument, parts: Pick<StopParts, 'client'>): Promise<void> {
  const client = await parts.client();
  const state = client === undefined ? undefined : await closeSurface(client, pane).catch(() => undefined);
  if (state !== undefined) await writePane(sidecarPath, { ...pane, state });
}
