import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attestTurn,
  combineTurns,
  createModelPool,
  type ServedModelTurn,
  shippedModelPool,
  verifyServedModel,
} from '../../src/index.ts';

const pool = createModelPool(shippedModelPool());
const selected = pool.entry('claude/opus');
const pinned = pool.entry('claude/claude-opus-4-5@20251101');

const wire = (raw: string | null) => ({ raw, source: 'wire' as const });
const stream = (raw: string | null) => ({ raw, source: 'stream' as const });
const transcript = (raw: string | null) => ({ raw, source: 'transcript' as const });

function attest(turns: readonly ServedModelTurn[], entry = selected) {
  return combineTurns(turns, { selected: entry, pool });
}

function verdictOf(turns: readonly ServedModelTurn[], entry = selected) {
  return verifyServedModel({ selected: entry, attestation: attest(turns, entry), pool }).kind;
}

describe('combineTurns', () => {
  it('AR-10 attests an attempt from its turns', () => {
    expect(attest([stream('claude-opus-5-5'), stream('claude-opus-5-5')])).toEqual({
      level: 'exact',
      normalizedModelRef: 'claude/claude-opus-5-5',
      reported: ['claude-opus-5-5'],
      source: 'stream',
      turns: 2,
    });
  });

  it('AR-7 no turns, and turns without a name, are unknown', () => {
    expect(attest([])).toEqual({ level: 'unknown', reported: [], source: 'none', turns: 0 });
    expect(attest([stream(null), wire(null)])).toEqual({ level: 'unknown', reported: [], source: 'none', turns: 2 });
  });

  it('AR-7 a name that maps to nothing is kept as it was printed, and has no ref', () => {
    const attested = attest([stream('zz-served-77')]);
    expect(attested).toMatchObject({ level: 'unrecognised', reported: ['zz-served-77'] });
    expect(attested).not.toHaveProperty('normalizedModelRef');
  });

  it('AR-10 the source none makes the level unknown, whatever name came with it', () => {
    expect(attest([{ raw: 'claude-opus-5-5', source: 'none' }])).toMatchObject({ level: 'unknown', source: 'none' });
  });

  it('AR-10 level and source are the weakest of the turns', () => {
    const same = 'claude-opus-5-5';
    expect(attest([wire(same), transcript(same), stream(same)])).toMatchObject({
      level: 'exact',
      source: 'transcript',
    });
    expect(attest([wire(same), stream(null)])).toMatchObject({ level: 'unknown', source: 'none', reported: [same] });
  });

  it('AR-10 one deviating turn decides, wherever it is, and an unobserved turn does not hide it', () => {
    for (const at of [0, 1, 2]) {
      const turns = [stream('claude-opus-5-5'), stream(null), stream('claude-opus-5-5')].with(at, stream('gpt-6-sol'));
      const attestation = attest(turns);
      expect(attestation).toMatchObject({ level: 'unrecognised', deviation: { turn: at + 1, raw: 'gpt-6-sol' } });
      expect(verdictOf(turns)).toBe('mismatch');
    }
  });

  it('AR-10 a change half-way is a mismatch, even inside the selected channel', () => {
    const turns = [stream('claude-opus-5-5'), stream('claude-opus-5-5'), stream('claude-opus-4-8')];
    expect(attest(turns).deviation).toEqual({
      turn: 3,
      raw: 'claude-opus-4-8',
      source: 'stream',
      reason: 'the served model changed half-way, from claude-opus-5-5 to claude-opus-4-8',
    });
    expect(verdictOf(turns)).toBe('mismatch');
  });

  it('AR-10 a change between two releases that the pool does not have is a change too', () => {
    expect(verdictOf([stream('claude-opus-9'), stream('claude-opus-9-1')])).toBe('mismatch');
    expect(verdictOf([stream('claude-opus-9'), stream('claude-opus-9')])).toBe('match');
  });

  it('AR-10 another spelling of the same model is no change', () => {
    const turns = [
      stream('claude-opus-4-5-20251101'),
      stream('us.anthropic.claude-opus-4-5-20251101-v1:0'),
      stream('claude-opus-4-5@20251101'),
    ];
    expect(attest(turns).deviation).toBeUndefined();
    expect(attest(turns).reported).toHaveLength(3);
    expect(verdictOf(turns, pinned)).toBe('match');
  });

  it('AR-7 a message that the agent CLI made itself counts as a turn without a name', () => {
    expect(attest([stream('claude-opus-5-5'), stream('<synthetic>')])).toMatchObject({ level: 'unknown', turns: 2 });
  });

  it('AR-10 the stronger source counts where sources disagree, and the difference is recorded', () => {
    const turns = [[stream('claude-sonnet-5'), wire('claude-opus-5-5'), transcript('claude-opus-5-5')]];
    expect(attest(turns)).toEqual({
      level: 'exact',
      normalizedModelRef: 'claude/claude-opus-5-5',
      reported: ['claude-opus-5-5'],
      source: 'wire',
      turns: 1,
      disagreements: [{ turn: 1, counted: wire('claude-opus-5-5'), overruled: [stream('claude-sonnet-5')] }],
    });
    expect(verdictOf(turns)).toBe('match');
  });

  it('AR-10 the stronger source counts when it is the one that deviates', () => {
    expect(verdictOf([[stream('claude-opus-5-5'), wire('claude-sonnet-5')]])).toBe('mismatch');
  });

  it('AR-10 a stronger source without a name leaves the weaker one to count', () => {
    expect(attest([[wire(null), transcript('claude-opus-5-5')]])).toMatchObject({
      level: 'exact',
      source: 'transcript',
    });
  });

  it('AR-10 spellings of one model from two sources do not disagree', () => {
    const turns = [[wire('claude-opus-4-5-20251101'), stream('anthropic/claude-opus-4.5')]];
    expect(attest(turns).disagreements).toBeUndefined();
  });

  it('AR-10 every turn is attested: any position of any foreign name is found', () => {
    const good = fc.constantFrom('claude-opus-5-5', 'anthropic.claude-opus-5-5', 'anthropic/claude-opus-5.5');
    const turns = fc.array(good.map(stream), { maxLength: 20 });
    const foreign = fc.constantFrom('claude-sonnet-5-5', 'gpt-6-sol', 'claude-opus-5', 'zz-served-77');
    fc.assert(
      fc.property(turns, foreign, turns, (before, raw, after) => {
        const alone = before.length + after.length === 0 && raw === 'claude-opus-5';
        expect(verdictOf([...before, stream(raw), ...after])).toBe(alone ? 'match' : 'mismatch');
        if (before.length + after.length > 0) expect(verdictOf([...before, ...after])).toBe('match');
      }),
    );
  });
});

describe('attestTurn', () => {
  it('AR-9 says of a single turn, as soon as it is seen, why it is a mismatch', () => {
    expect(attestTurn(stream('claude-sonnet-5'), { selected, pool }).deviation).toContain('channel family opus');
    expect(attestTurn(stream('claude-opus-5'), { selected, pool }).deviation).toBeUndefined();
  });
});
