import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createModelPool, mergePool, normalizeServedModel, shippedModelPool, spellingsOf } from '../../src/index.ts';
import { channelRow, poolOf, row } from '../support.ts';

const shipped = createModelPool(shippedModelPool());

describe('normalizeServedModel', () => {
  it.each(['', '  ', '<synthetic>'])('AR-7 %j is no name: nothing was seen', (raw) => {
    expect(normalizeServedModel(raw, 'claude', shipped)).toEqual({ level: 'unknown' });
  });

  it('AR-7 a name that the user declared an alias is that entry, whatever it looks like', () => {
    const pool = createModelPool(
      mergePool(shippedModelPool(), [{ modelRef: 'claude/opus', aliases: ['corp-gateway-7'] }]),
    );
    expect(normalizeServedModel('corp-gateway-7', 'claude', pool)).toMatchObject({
      level: 'channel',
      modelRef: 'claude/opus',
    });
    expect(normalizeServedModel('corp-gateway-7', 'claude', shipped).level).toBe('unrecognised');
  });

  it("AR-7 a user's alias comes before what the name's form says", () => {
    const alias = { modelRef: 'claude/sonnet', aliases: ['anthropic/claude-opus-5.5'] };
    const pool = createModelPool(mergePool(shippedModelPool(), [alias]));
    expect(normalizeServedModel('anthropic/claude-opus-5.5', 'claude', pool).modelRef).toBe('claude/sonnet');
  });

  it('AR-7 a release that the pool does not have yet is placed in the channel of its family', () => {
    expect(normalizeServedModel('claude-opus-9', 'claude', shipped)).toEqual({
      level: 'channel',
      modelRef: 'claude/opus',
      identity: 'claude-opus-9',
    });
  });

  it('AR-7 a family without a channel in the pool places nothing', () => {
    expect(normalizeServedModel('claude-mythos-9', 'claude', shipped).level).toBe('unrecognised');
    expect(normalizeServedModel('claude-opus-9', 'opencode', shipped).level).toBe('unrecognised');
  });

  it("AR-8 looks only at the agent CLI's own rows", () => {
    expect(normalizeServedModel('gpt-5.5', 'claude', shipped).level).toBe('unrecognised');
  });

  it('AR-7 a name that two rows answer to is not guessed', () => {
    const pool = poolOf(row({ aliases: ['both'] }), channelRow({ aliases: ['both'] }));
    expect(normalizeServedModel('both', 'acme', pool).level).toBe('unrecognised');
  });

  it('AR-4 a broken row neither maps nor stops another', () => {
    const pool = poolOf(null, row({ versionKind: 'x' }), channelRow());
    expect(normalizeServedModel('acme-large-1', 'acme', pool).level).toBe('unrecognised');
    expect(normalizeServedModel('acme-large', 'acme', pool).level).toBe('channel');
  });

  it.each(['claude-opus-5-5-evil', 'claude-opus', 'xclaude-opus-5-5', 'evil/claude-opus-5-5', 'claude-opus-5-5[1g]'])(
    'AR-7 %s only looks like one of ours and is unrecognised',
    (raw) => {
      expect(normalizeServedModel(raw, 'claude', shipped).level).toBe('unrecognised');
    },
  );

  it('throws for no name, and places none that is not in the pool', () => {
    const parts = [
      'anthropic',
      '/',
      '.',
      ':',
      '@',
      '-v1:0',
      'claude',
      'opus',
      '-',
      '5',
      '[1m]',
      'us',
      '20250929',
      'gpt',
      '~',
    ];
    const likely = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), likely), (raw) => {
        const { level, modelRef } = normalizeServedModel(raw, 'claude', shipped);
        expect(modelRef !== undefined).toBe(level === 'exact' || level === 'channel');
        if (modelRef !== undefined) expect(shipped.refs).toContain(modelRef);
      }),
      { numRuns: 2000 },
    );
  });

  it('is done at once with a name of any length', () => {
    const endless = 'openai/'.repeat(100_000);
    expect(normalizeServedModel(endless, 'claude', shipped).level).toBe('unrecognised');
    expect(spellingsOf('openai/'.repeat(100)).length).toBeLessThan(102);
  });
});
