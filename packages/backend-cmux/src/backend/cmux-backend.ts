import {
  type AttemptAddress,
  type BackendCapabilities,
  Support,
  type WorkerBackend,
} from '@bailiwick/backend-contract';
import { BackendKind } from '@bailiwick/dispatch-state';
import type { RelayedEvent } from '../sidebar/relay.ts';
import type { CmuxBackendOptions } from './options.ts';
import type { PanesAtWork } from './panes-at-work.ts';

/** An attempt that is settled. */
export type ReleasedAttempt = Pick<AttemptAddress, 'dispatchId' | 'sidecarPath'>;

/** A backend whose workers are in panes, with what a command tells it besides. */
export interface CmuxBackend extends WorkerBackend {
  /** Shows in the sidebar what happened to a worker (CX-5); never fails, never waits. */
  relay(event: RelayedEvent): void;
  /** Closes the pane of an attempt that is settled; never fails, never waits. */
  release(attempt: ReleasedAttempt): void;
  /** Says what is left to say, and lets go of the app. */
  close(): Promise<void>;
}

const CAPABILITIES: BackendCapabilities = {
  survivesCommand: Support.native,
  endsTree: Support.native,
  visible: Support.native,
  pushesHints: Support.native,
  local: true,
};

/**
 * Workers in panes of cmux. All requests to the app are made by this process, which the user ran inside it: a supervisor is none of
 * its descendants and never talks to it. How a worker ends is read from its sidecar alone, never from the screen.
 * Loaded at the first need: most runs have no panes.
 */
export function createCmuxBackend(options: CmuxBackendOptions): CmuxBackend {
  let loading: Promise<PanesAtWork> | undefined;
  const atWork = (): Promise<PanesAtWork> => {
    loading ??= import('./panes-at-work.ts').then(({ panesAtWork }) => panesAtWork(options));
    return loading;
  };
  return {
    kind: BackendKind.cmuxPane,
    capabilities: CAPABILITIES,
    preflight: async () => (await atWork()).preflight(),
    place: async (order) => (await atWork()).place(order),
    launch: async (order, launchOptions) => (await atWork()).launch(order, launchOptions),
    probe: async (attempt) => (await atWork()).probe(attempt),
    observe: async (attempts, onHint, signal) => (await atWork()).observe(attempts, onHint, signal),
    stop: async (attempts, stopOptions) => (await atWork()).stop(attempts, stopOptions),
    relay: (event) => void atWork().then((panes) => panes.relay(event)),
    release: (attempt) => void atWork().then((panes) => panes.release(attempt)),
    close: async () => (loading === undefined ? options.supervised.close() : (await loading).close()),
  };
}
