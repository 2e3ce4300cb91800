import {
  type AttemptAddress,
  type BackendCapabilities,
  type LaunchOptions,
  type LaunchReport,
  type Liveness,
  type StageHint,
  type StopOptions,
  type StopOutcome,
  Support,
  type WorkerBackend,
} from '@bailiwick/backend-contract';
import { BackendKind, type SupervisionOrder } from '@bailiwick/dispatch-state';
import { launchOrder } from './launch.ts';
import { Observers } from './observe.ts';
import { probeAttempt } from './probe.ts';
import { stopAttempts } from './stop.ts';
import { type RunningSupervisor, type SupervisorProgram, startSupervisor } from './supervisor-program.ts';

export interface CliWrapperOptions {
  /** The supervisor's program: the `./supervisor` entry of `@bailiwick/process-supervision`, or a bundle of it. */
  readonly supervisorPath: string;
  /** The Node that runs it; the one that runs this process where absent. */
  readonly nodePath?: string;
  /** Arguments of that Node, before the program. */
  readonly nodeArguments?: readonly string[];
  /** The longest silence of a supervisor while it launches. */
  readonly launchTimeoutMs?: number;
  /**
   * What the supervisor's own environment is taken from: {@link SUPERVISOR_ENVIRONMENT} and nothing else. Empty where
   * absent.
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Loading the supervisor's modules takes most of it, on a busy machine several seconds. */
export const DEFAULT_LAUNCH_TIMEOUT_MS = 60_000;

const CAPABILITIES: BackendCapabilities = {
  survivesCommand: Support.native,
  endsTree: Support.native,
  visible: Support.absent,
  pushesHints: Support.native,
  local: true,
};

/**
 * Workers as children of one detached supervisor per order. The command that launches needn't live on; whoever knows an
 * attempt's address can probe, observe and stop it from any process of the same user on the same machine.
 */
export function createCliWrapperBackend(options: CliWrapperOptions): WorkerBackend {
  const observers = new Observers();
  const program = {
    nodePath: options.nodePath ?? process.execPath,
    nodeArguments: options.nodeArguments ?? [],
    supervisorPath: options.supervisorPath,
    timeoutMs: options.launchTimeoutMs ?? DEFAULT_LAUNCH_TIMEOUT_MS,
    environment: options.environment ?? {},
  };
  const { timeoutMs } = program;
  const start = startedEarly(program);
  return {
    kind: BackendKind.cliWrapper,
    capabilities: CAPABILITIES,
    prepare: (): (() => void) => start.prepare(),
    launch: async (order: SupervisionOrder, launchOptions: LaunchOptions): Promise<LaunchReport> => {
      launchOptions.signal?.throwIfAborted();
      return launchOrder(order, start.take(), { ...launchOptions, timeoutMs });
    },
    probe: (attempt: AttemptAddress): Promise<Liveness> => probeAttempt(attempt),
    observe: (
      attempts: readonly AttemptAddress[],
      onHint: (hint: StageHint) => void,
      signal: AbortSignal,
    ): Promise<void> => observers.observe(attempts, onHint, signal),
    stop: (attempts: readonly AttemptAddress[], stopOptions: StopOptions): Promise<readonly StopOutcome[]> =>
      stopAttempts(attempts, stopOptions),
    close: async () => observers.close(),
  };
}

/** At most one supervisor that waits for an order of this process; without one it ends by itself, as when this process dies. */
function startedEarly(program: SupervisorProgram) {
  let waiting: RunningSupervisor | undefined;
  const letGo = (mine: RunningSupervisor): void => {
    if (waiting !== mine) return;
    waiting = undefined;
    mine.release();
  };
  return {
    prepare: (): (() => void) => {
      waiting ??= startSupervisor(program);
      const mine = waiting;
      return () => letGo(mine);
    },
    take: (): RunningSupervisor => {
      const taken = waiting ?? startSupervisor(program);
      waiting = undefined;
      return taken;
    },
  };
}
