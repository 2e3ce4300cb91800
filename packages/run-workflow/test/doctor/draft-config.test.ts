import { createModelPool, shippedModelPool } from '@bailiwick/assignment-resolution';
import { describe, expect, it } from 'vitest';
import { draftConfig, poolOf } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { CONFIG, environmentWith } from '../support/sample-run.ts';

const POOL = createModelPool(shippedModelPool());

describe('a config that is drafted', () => {
  it('lets the first agent implement and report, and another one verify', () => {
    const { team } = draftConfig(POOL, environmentWith('codex', 'claude', 'gemini'));
    const [implementer, verifier] = [team.implementer.model, team.verifiers[0]?.model ?? ''];
    expect([implementer.split('/')[0], verifier.split('/')[0]]).toEqual(['codex', 'claude']);
    expect(team.verifiers).toHaveLength(1);
    expect(team.reportWriter).toEqual(team.implementer);
  });

  it('lets the only agent verify too', () => {
    const { team } = draftConfig(POOL, environmentWith('gemini'));
    expect(team.verifiers).toEqual([team.implementer]);
  });

  it('names models that resolve on this host', () => {
    const { team } = draftConfig(POOL, environmentWith('claude', 'codex'));
    for (const seat of [team.implementer, ...team.verifiers])
      expect(poolOf(CONFIG).resolve(seat.model).versionKind).toBe('channel');
  });

  it('is refused by code where no agent is here, or only one that nobody supports', async () => {
    expect(await codeOf(() => draftConfig(POOL, environmentWith()))).toBe('NO_AGENT_FOUND');
    const environment = {
      ...environmentWith(),
      providers: new Map([['claude', { providerId: 'claude', installed: true, supported: false }]]),
    };
    expect(await codeOf(() => draftConfig(POOL, environment))).toBe('NO_AGENT_FOUND');
  });
});
