import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCliWrapperBackend } from '@bailiwick/backend-cli-wrapper';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import type { BackendKind } from '@bailiwick/dispatch-state';
import type { Surroundings } from '@bailiwick/run-workflow';
import { type CmuxAllowances, openCmuxBackend, withoutCmux } from './cmux.ts';
import { NO_DEBUGGER_BY_SIGNAL } from './node-arguments.ts';
import { attemptsFolder, keyFolder } from './own-folders.ts';

/**
 * A supervisor waits and computes little, so that threads for V8 to compute beside it cost more than they save. With 0
 * V8 chooses their number itself, and starts them when there is work for them. Nor does it make garbage fast: V8's young
 * generation would grow to three times 16 MB at the first thousand workers, and stay so.
 */
const SUPERVISOR_NODE_ARGUMENTS = ['--v8-pool-size=0', '--max-semi-space-size=2', NO_DEBUGGER_BY_SIGNAL];

/** What packages may know of this machine; the only reader of the environment. */
export function surroundingsOfProcess(allowances: CmuxAllowances = { mayOpenWorkspace: false }): Surroundings {
  const supervisorPath = fileURLToPath(new URL('./supervisor.js', import.meta.url));
  const backend = createCliWrapperBackend({
    supervisorPath,
    environment: process.env,
    nodeArguments: SUPERVISOR_NODE_ARGUMENTS,
  });
  const runtimeFolder = process.env['XDG_RUNTIME_DIR'] ?? join(tmpdir(), `bailiwick-${userInfo().uid}`);
  const panes = openCmuxBackend(backend, { ...allowances, runtimeFolder });
  return {
    environment: environmentOfProcess(),
    runtimeFolder,
    backends: new Map<BackendKind, WorkerBackend>([
      [backend.kind, backend],
      [panes.kind, panes],
    ]),
    now: () => new Date(),
    keyFolder: keyFolder(),
    attemptsFolder: attemptsFolder(),
  };
}

/** What agents inherit of the own environment. */
export function environmentOfProcess(): Readonly<Record<string, string>> {
  return withoutCmux(definedEntries(process.env));
}

function definedEntries(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
