import { expect } from 'vitest';
import { findAttemptProcesses } from '../../src/index.ts';
import { usedFences } from './test-run.ts';

/** For the end of a test file: no process of any of its attempts may be alive. */
export async function expectNothingLeft(): Promise<void> {
  for (const fence of usedFences) expect(await findAttemptProcesses(fence), fence).toEqual([]);
}
