import { parseScenario } from '@bailiwick/agent-fakes';
import { describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS, AGENT_SCENARIOS, agentsTable, modelScenarioOf, parseAgentsArguments } from '../src/index.ts';

const CELL = { agent: 'pi', version: '1.6.0', scenario: 'success', outcome: 'completed: ', holds: true, skipped: null };

describe('the matrix of real agent programs', () => {
  it.each(AGENT_SCENARIOS)('tells the fake model what it understands: $name', (scenario) => {
    expect(parseScenario(modelScenarioOf(scenario, {}), scenario.name).turns).toEqual(scenario.turns);
    const { turns } = parseScenario(modelScenarioOf(scenario, { readsPromptFile: true }), scenario.name);
    expect([turns.length, turns.slice(1)]).toEqual([scenario.turns.length + 1, scenario.turns]);
  });

  it('runs everything where nothing is named, and what is named else', () => {
    expect(parseAgentsArguments([])).toMatchObject({
      programs: AGENT_PROGRAMS,
      scenarios: AGENT_SCENARIOS,
      isNamed: false,
    });
    expect(parseAgentsArguments(['codex', '--scenario', 'hang', '--json', '--optional'])).toMatchObject({
      programs: [{ id: 'codex' }],
      scenarios: [{ name: 'hang' }],
      isNamed: true,
      isJson: true,
      isOptional: true,
      isLoopbackOnly: false,
    });
    expect(parseAgentsArguments(['--loopback-only'])).toMatchObject({ isLoopbackOnly: true });
  });

  it.each([['nobody'], ['--scenario', 'nothing of the kind'], ['--fast']])('refuses %s %s', (...args) => {
    expect(parseAgentsArguments(args)).toBeUndefined();
  });

  it('names and counts what was skipped', () => {
    const skipped = { ...CELL, agent: 'amp', version: '0', holds: false, skipped: 'no such package' };
    expect(agentsTable([CELL, { ...CELL, scenario: 'hang', holds: false }, skipped])).toBe(
      [
        '         pi 1.6.0  amp 0',
        'success  ✓         –',
        'hang     ✗         –',
        '',
        'skipped: amp: no such package',
        '1 of 2 hold; 1 programs run, 1 skipped',
        '',
      ].join('\n'),
    );
  });
});
