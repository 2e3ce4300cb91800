import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DispatchRecord, inOrderOfStart } from '../src/index.ts';
import { attemptOf } from './support/samples.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 29, 16, 0, second)).toISOString();
const idsOf = (records: readonly DispatchRecord[]) => records.map(({ dispatchId }) => dispatchId);

describe('inOrderOfStart', () => {
  it('goes by what the event log held, even where the clock was set back', () => {
    const first = attemptOf({ invocation: 'z' }, { eventLogOffset: 100, dispatchedAt: at(50) });
    const later = attemptOf({ invocation: 'a' }, { eventLogOffset: 900, dispatchedAt: at(10) });
    expect(inOrderOfStart([later, first])).toEqual([first, later]);
  });

  it('keeps the attempts of an invocation together and in their order, even where the clock was set back', () => {
    const retry = attemptOf({ invocation: 'a', attempt: 2 }, { eventLogOffset: 300, dispatchedAt: at(1) });
    const original = attemptOf({ invocation: 'a', attempt: 1 }, { eventLogOffset: 100, dispatchedAt: at(9) });
    const other = attemptOf({ invocation: 'b' }, { eventLogOffset: 200, dispatchedAt: at(5) });
    expect(inOrderOfStart([retry, other, original])).toEqual([original, retry, other]);
  });

  it('goes by the time of dispatch where nothing was logged in between', () => {
    const records = ['b', 'c', 'a'].map((invocation, index) => attemptOf({ invocation }, { dispatchedAt: at(index) }));
    expect(inOrderOfStart(records.toReversed())).toEqual(records);
  });

  it('is the same whatever order the records come in', () => {
    const records = fc.uniqueArray(
      fc.record({ invocation: fc.constantFrom('a', 'b', 'c'), attempt: fc.integer({ min: 1, max: 3 }) }),
      { selector: ({ invocation, attempt }) => `${invocation} ${attempt}` },
    );
    const times = fc.array(fc.tuple(fc.constantFrom(0, 100, 200), fc.integer({ min: 0, max: 3 })), { minLength: 9 });
    fc.assert(
      fc.property(records, times, fc.infiniteStream(fc.nat()), (rows, stamps, keys) => {
        const made = rows.map((row, index) => {
          const [eventLogOffset = 0, second = 0] = stamps[index] ?? [];
          return attemptOf(row, { eventLogOffset, dispatchedAt: at(second) });
        });
        const shuffled = made
          .map((record) => ({ record, key: keys.next().value }))
          .sort((a, b) => Number(a.key) - Number(b.key))
          .map(({ record }) => record);
        expect(idsOf(inOrderOfStart(shuffled))).toEqual(idsOf(inOrderOfStart(made)));
      }),
      { numRuns: 200 },
    );
  });
});
