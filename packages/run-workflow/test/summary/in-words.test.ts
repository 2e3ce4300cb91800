import { describe, expect, it } from 'vitest';
import { costWords, shortDuration } from '../../src/index.ts';

describe('a cost', () => {
  it.each([
    [{ knownUsd: 0, unknownAttempts: 0, openAttempts: 0 }, null],
    [{ knownUsd: 0, unknownAttempts: 1, openAttempts: 0 }, '0.00 USD, and unknown of 1 attempt'],
    [{ knownUsd: 'unknown', unknownAttempts: 3, openAttempts: 0 }, 'unknown'],
    [{ knownUsd: 1.234, unknownAttempts: 0, openAttempts: 0 }, '1.23 USD'],
    [
      { knownUsd: 0.00361, unknownAttempts: 2, openAttempts: 1 },
      '0.0036 USD, and unknown of 2 attempts, so far: 1 attempt not ended',
    ],
  ] as const)('%j is said as %s', (cost, words) => {
    expect(costWords(cost)).toBe(words);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.9, '1.0 s'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [59_999, '1 min 0 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [61_000, '1 min 1 s'],
    [3_599_900, '1 h 0 min'],
    [3_600_000, '1 h 0 min'],
    [90_061_000, '25 h 1 min'],
  ])('of %i ms is said as %s', (ms, words) => {
    expect(shortDuration(ms)).toBe(words);
  });
});
