import type { WorkerBackend } from '@bailiwick/backend-contract';
import type { PaneProgram } from '../panes/launcher.ts';
import type { CmuxSurroundings } from '../standing/examine.ts';

export interface CmuxBackendOptions {
  readonly surroundings: CmuxSurroundings;
  readonly program: PaneProgram;
  /**
   * What probes, observes and stops workers by their addresses: a pane's supervisor is the same as any other (CX-1), and only where
   * it runs is different. `@bailiwick/backend-cli-wrapper` is one.
   */
  readonly supervised: Pick<WorkerBackend, 'probe' | 'observe' | 'stop' | 'close'>;
  /** The user's own folder for sockets and launchers: short, and nobody else's. */
  readonly runtimeFolder: string;
  /** Makes a workspace of its own where the app doesn't know this terminal; default: the job runs elsewhere. */
  readonly mayOpenWorkspace?: boolean;
  /** The longest silence of a pane's supervisor while it launches. */
  readonly launchTimeoutMs?: number;
  /** How long a pane may take to run what was typed, by try. */
  readonly patienceMs?: readonly number[];
}

/** Loading the supervisor's modules takes most of it. */
export const DEFAULT_PANE_LAUNCH_TIMEOUT_MS = 60_000;
