import type { AttemptAddress } from '@bailiwick/backend-contract';
import { readSidecar } from '@bailiwick/dispatch-state';
import { type PaneDocument, readPane } from '../panes/pane-document.ts';

/** An attempt with its pane, and where its own supervisor is to be found. */
export interface LocatedAttempt {
  readonly address: AttemptAddress;
  readonly pane: PaneDocument | undefined;
}

/** A pane's supervisor has a live lock of its own, and the socket that its sidecar names; without a pane all stays as it is. */
export async function locate(address: AttemptAddress): Promise<LocatedAttempt> {
  const pane = await readPane(address).catch(() => undefined);
  if (pane === undefined) return { address, pane };
  const sidecar = await readSidecar(address.sidecarPath).catch(() => undefined);
  const { liveLockPath } = pane;
  return { pane, address: { ...address, liveLockPath, socketPath: sidecar?.socketPath ?? null } };
}
