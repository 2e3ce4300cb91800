import { realpathSync } from 'node:fs';
import type { BoundaryOrder, SupervisedJob } from '@bailiwick/dispatch-state';
import { testBoundary } from '../../src/index.ts';
import { shell, type TestRun } from './test-run.ts';

/** Whether this machine has a boundary to test. */
export const tested = await testBoundary({ path: process.env['PATH'] ?? '' });

let counter = 0;

/** A shell in a boundary around the run's `work` and `out`. */
export async function confined(
  run: TestRun,
  script: string,
  changes: Partial<BoundaryOrder> = {},
): Promise<SupervisedJob> {
  counter += 1;
  const privateName = `private-${counter}`;
  const job = await run.job(shell(script));
  return { ...job, boundary: { ...boundaryOf(run, privateName), ...changes } };
}

function boundaryOf(run: TestRun, privateName: string): BoundaryOrder {
  return {
    program: tested.kind === 'works' ? tested.program : '/usr/bin/bwrap',
    writable: [realpathSync(run.path('work')), realpathSync(run.path('out'))],
    readOnly: [],
    hidden: [],
    privateFolder: run.path(privateName),
    privateHome: { userHome: run.path('home'), logins: [] },
  };
}
