import { describe, expect, it } from 'vitest';
import { runScenario, runStory, SCENARIOS, STORIES } from '../src/index.ts';

/** What no other test of the built command line shows; `pnpm scenarios` runs them all. */
const SAMPLE = ['exits 0 having done nothing', 'a verifier edits source and git config'];

/** Of the stories, those whose steps no other test takes. */
const STORY_SAMPLE = ['a stop outlives the command: nothing starts again, and what came of it until then is told'];

describe('the scenarios', () => {
  it.each(SCENARIOS.filter((scenario) => SAMPLE.includes(scenario.name)).map((scenario) => [scenario.name, scenario]))(
    '%s: has its defined outcome through the built command line',
    async (_, scenario) => {
      expect(await runScenario(scenario)).toMatchObject({ holds: true, why: [] });
    },
    120_000,
  );

  it.each(STORIES.filter(({ name }) => STORY_SAMPLE.includes(name)).map((story) => [story.name, story]))(
    '%s',
    async (_, story) => {
      expect(await runStory(story)).toMatchObject({ holds: true, why: [] });
    },
    120_000,
  );

  it('have names of their own, and those of the samples exist', () => {
    const names = [...SCENARIOS, ...STORIES].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...SAMPLE, ...STORY_SAMPLE]));
  });
});
