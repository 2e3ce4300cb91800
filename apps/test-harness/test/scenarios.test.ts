import { describe, expect, it } from 'vitest';
import { runScenario, SCENARIOS } from '../src/index.ts';

describe('the scenarios', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    '%s: has its defined outcome through the built command line',
    async (_, scenario) => {
      expect(await runScenario(scenario)).toMatchObject({ holds: true, why: [] });
    },
    120_000,
  );
});
