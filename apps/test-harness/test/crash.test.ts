import { describe, expect, it } from 'vitest';
import { runCrash, straceProblem } from '../src/index.ts';

/** Where nothing can be traced the kills are skipped by name, and counted as that. */
const problem = await straceProblem();

describe('a dispatch that is killed at a system call', () => {
  it.skipIf(problem !== undefined)(
    'ST-4 AW-5 BA-6 is settled once by two awaits at once, with nothing lost, doubled, torn or left alive',
    async () => {
      const { kills, points, ...found } = await runCrash({ kills: 2, seed: 11, workloads: ['completes'] });
      expect(found).toEqual({
        ...{ lost: 0, doubled: 0, torn: 0, leftProcesses: 0, skipped: found.skipped },
        ...{ holds: true, why: [] },
      });
      expect(points).toBeGreaterThan(100);
      expect(kills).toBeGreaterThan(0);
    },
    300_000,
  );
});
