import { describe, expect, it } from 'vitest';
import { dispatchRecordCodec, type Settlement, settleRecord } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { recordLike, settlementIn } from './support/samples.ts';

const launching = recordLike('launching');
const completed = recordLike('completed');

describe('settling', () => {
  it.each([
    'completed',
    'completed-in-spite-of-its-exit-code',
    'error-with-retry',
    'error-breached',
    'error-cut-off',
    'error-mismatch',
    'timeout',
    'stopped',
    'stopped-when-lost',
  ])('of a launching record gives a record that can be stored, as in %s', (like) => {
    const settlement = settlementIn(recordLike(like));
    const record = settleRecord(launching, settlement);
    expect(record).toMatchObject({ ...settlement, endProof: settlement.lifecycle.endProof });
    expect(dispatchRecordCodec.decode(dispatchRecordCodec.encode(record), 'x')).toEqual(recordLike(like));
  });

  it('RT-3 leaves all that was claimed as it was: session, identity, outputs, limits, contract', () => {
    const settlement = settlementIn(completed);
    const settled = settleRecord(launching, settlement);
    const decided = [...Object.keys(settlement), 'endProof'];
    const claimed = Object.entries(launching).filter(([field]) => !decided.includes(field));
    expect(claimed.map(([field]) => field)).toEqual(expect.arrayContaining(['sessionId', 'limits', 'wantedBackend']));
    expect(launching.sessionId).not.toBe('');
    expect(settled).toMatchObject(Object.fromEntries(claimed));
  });

  it('ST-4 the same result again gives the record back, whatever else is said of it', () => {
    const settlement = settlementIn(completed);
    const again: Settlement = {
      ...settlement,
      reason: 'seen a second time',
      finishedAt: '2026-11-30T00:00:00.000Z',
      usage: { ...settlement.usage, costUsd: 'unknown' },
    };
    expect(settleRecord(completed, again)).toBe(completed);
    expect(settleRecord(settleRecord(launching, settlement), again)).toEqual(completed);
  });

  it.each<[string, Partial<Settlement>]>([
    ['status', { status: 'error' }],
    ['artifact', { result: settlementIn(recordLike('error-with-retry')).result }],
    ['set of changed paths', { contract: settlementIn(recordLike('error-with-retry')).contract }],
  ])('ST-4 another %s than the settled one is drift, and the first stands', async (_, changes) => {
    const settlement = { ...settlementIn(completed), ...changes };
    const error = await errorOf('TERMINAL_RESULT_DRIFT', () => settleRecord(completed, settlement));
    expect(error.message).toContain(completed.dispatchId);
    expect(error.hint).toContain('the first settlement stands');
  });

  it('ST-4 an artifact of the same size with another digest is drift', async () => {
    const settlement = settlementIn(completed);
    const artifacts = settlement.result.artifacts.map((row) => ({ ...row, digest: completed.inputDigest }));
    const changed = { ...settlement, result: { ...settlement.result, artifacts } };
    await errorOf('TERMINAL_RESULT_DRIFT', () => settleRecord(completed, changed));
  });

  it.each(['launching', 'running'] as const)('with "%s" is refused: that is no end', async (status) => {
    const settlement = { ...settlementIn(completed), status };
    await errorOf('TRANSITION_REFUSED', () => settleRecord(launching, settlement));
    await errorOf('TRANSITION_REFUSED', () => settleRecord(completed, settlement));
  });
});
