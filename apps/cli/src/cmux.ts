import { homedir, userInfo } from 'node:os';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CmuxBackend, createCmuxBackend } from '@bailiwick/backend-cmux';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import type { Progress } from '@bailiwick/dispatch';
import { NO_DEBUGGER_BY_SIGNAL } from './node-arguments.ts';

/** What a command lets cmux do. */
export interface CmuxAllowances {
  /** Make a workspace for the workers where cmux doesn't know this terminal. */
  readonly mayOpenWorkspace: boolean;
}

let opened: CmuxBackend | undefined;

/** Workers in panes; nothing is asked of cmux before a plan or a worker needs it. At the end of the process it says its last words. */
export function openCmuxBackend(
  supervised: WorkerBackend,
  o: CmuxAllowances & { readonly runtimeFolder: string },
): CmuxBackend {
  const backend = createCmuxBackend({
    surroundings: { environment: process.env, home: homedir(), uid: userInfo().uid },
    program: {
      nodePath: process.execPath,
      nodeArguments: [NO_DEBUGGER_BY_SIGNAL],
      panePath: fileURLToPath(new URL('./pane.js', import.meta.url)),
      environment: process.env,
    },
    supervised,
    runtimeFolder: o.runtimeFolder,
    mayOpenWorkspace: o.mayOpenWorkspace,
  });
  opened = backend;
  process.once('beforeExit', () => void backend.close());
  return backend;
}

/** Shows in cmux what happened to a worker of a plan that was made for it, and closes the pane of one that is settled (CX-5). */
export function relayProgress({ kind, record }: Progress): void {
  if (opened === undefined || record.wantedBackend !== opened.kind) return;
  opened.relay({
    kind,
    label: record.executionLabel,
    status: record.status,
    reason: record.reason,
    isRetried: record.retry !== null,
  });
  if (kind === 'settled') opened.release({ dispatchId: record.dispatchId, sidecarPath: record.statusSidecarPath });
}

/** Folders in which cmux lays programs of its own in front of the real agents. */
const SHIM_VARIABLES = ['CMUX_AGENT_COMMAND_SHIM_ROOT', 'CMUX_CLAUDE_WRAPPER_SHIM_ROOT', 'CMUX_CLAUDE_WRAPPER_SHIM'];

/**
 * An environment without what leads to cmux: whoever can reach its socket can type into any terminal, and the programs that it lays
 * in front of agents change how these are started.
 */
export function withoutCmux(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shims = SHIM_VARIABLES.map((name) => environment[name]).filter((path) => path !== undefined && path !== '');
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('CMUX_'));
  const isShim = (folder: string): boolean => shims.some((shim) => folder === shim || folder.startsWith(`${shim}/`));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name !== 'PATH'
        ? value
        : value
            .split(delimiter)
            .filter((folder) => !isShim(folder))
            .join(delimiter),
    ]),
  );
}
