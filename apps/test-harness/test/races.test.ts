import { describe, expect, it } from 'vitest';
import { runRaces } from '../src/index.ts';

describe('two dispatchers of which one is killed', () => {
  it('TR-2 consume one reservation exactly once (`bailiwick-harness races` does it a hundred times)', async () => {
    const { killed, ...result } = await runRaces({ races: 1, seed: 3, spreadMs: 800 });
    expect(result).toEqual({ races: 1, doubled: 0, holds: killed > 0, why: [] });
  }, 120_000);
});
