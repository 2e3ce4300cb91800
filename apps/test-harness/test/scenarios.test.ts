import { describe, expect, it } from 'vitest';
import { runScenario, SCENARIOS } from '../src/index.ts';

/** What no other test of the built command line shows; `.ci/run` and `pnpm scenarios` run them all. */
const SAMPLE = [
  'exits 0 having done nothing',
  'prints 100 MB',
  'dies by a signal',
  'the model changes half-way',
  'a verifier edits source and git config',
];

describe('the scenarios', () => {
  it.each(SCENARIOS.filter((scenario) => SAMPLE.includes(scenario.name)).map((scenario) => [scenario.name, scenario]))(
    '%s: has its defined outcome through the built command line',
    async (_, scenario) => {
      expect(await runScenario(scenario)).toMatchObject({ holds: true, why: [] });
    },
    120_000,
  );

  it('have names of their own, and those of the sample exist', () => {
    const names = SCENARIOS.map((scenario) => scenario.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(SAMPLE));
  });
});
