import { expect, it } from 'vitest';
import { costWords } from '../../src/render/cost-line.ts';

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
