import { dirname, join } from 'node:path';
import { createCliWrapperBackend } from '@bailiwick/backend-cli-wrapper';
import { createCmuxBackend } from '@bailiwick/backend-cmux';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import { builtCliPath } from '../cli/built-cli.ts';

/** How a backend under trial is made, in this process or in a command that is killed. */
export interface BackendRecipe {
  readonly backend: 'cli-wrapper' | 'cmux-pane';
  readonly runtimeFolder: string;
  /** What a program in a terminal of cmux finds in its environment; empty for the other backend. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The backend over the programs of the built command line. */
export function makeBackend({ backend, runtimeFolder, environment }: BackendRecipe): WorkerBackend {
  const folder = dirname(builtCliPath());
  const own = { PATH: process.env['PATH'] ?? '', HOME: runtimeFolder };
  const supervised = createCliWrapperBackend({ supervisorPath: join(folder, 'supervisor.js'), environment: own });
  if (backend === 'cli-wrapper') return supervised;
  return createCmuxBackend({
    surroundings: { environment, home: runtimeFolder, uid: process.getuid?.() ?? 0 },
    program: {
      nodePath: process.execPath,
      nodeArguments: [],
      panePath: join(folder, 'pane.js'),
      environment: own,
    },
    supervised,
    runtimeFolder,
  });
}
