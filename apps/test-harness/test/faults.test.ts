import { describe, expect, it } from 'vitest';
import { runFaults } from '../src/index.ts';

/** One that needs neither a mount nor a tracer; `bailiwick-harness faults` tries them all. */
const MEANT = ['half the record, at settlement'];

describe('a fault', () => {
  it.each(MEANT)(
    '%s has its defined outcome',
    async (name) => {
      expect(await runFaults([name])).toMatchObject([{ fault: name, holds: true, why: [], skipped: null }]);
    },
    120_000,
  );
});
