import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CostFacts,
  costInSidecars,
  costOf,
  costStop,
  type DispatchRecord,
  dispatchRecordCodec,
  type RunLayout,
  readRunCost,
  recordPathOf,
  type StatusSidecar,
  sidecarPathOf,
  statusSidecarCodec,
} from '../src/index.ts';
import { attemptOf, bareRun, sidecarLike } from './support/samples.ts';

const ended = (costUsd: number | 'unknown'): CostFacts => ({
  finishedAt: '2026-11-29T16:18:00.000Z',
  process: { pid: 1 },
  usage: { costUsd },
});

describe('what attempts cost', () => {
  it('is the sum of what is known, and says of how many it is not', () => {
    const open: CostFacts = { finishedAt: null, process: null, usage: null };
    const neverRan: CostFacts = { finishedAt: '2026-11-29T16:18:00.000Z', process: null, usage: null };
    const unsaid: CostFacts = { ...neverRan, process: { pid: 1 } };
    expect(costOf([ended(0.1), ended(0.7), ended('unknown'), unsaid, open, neverRan], 2)).toEqual({
      knownUsd: 0.8,
      unknownAttempts: 4,
      openAttempts: 1,
    });
  });

  it.each([
    ['none ran', [], 0, 0],
    ['the only one says nothing', [ended('unknown')], 0, 'unknown'],
    ['the only record can’t be read', [], 1, 'unknown'],
    ['one says that it was nothing', [ended(0), ended('unknown')], 0, 0],
  ] as const)('is never zero where it is unknown: %s', (_, attempts, unreadable, knownUsd) => {
    expect(costOf(attempts, unreadable).knownUsd).toBe(knownUsd);
  });

  it('does not depend on the order of the attempts, and is never less than one of them', () => {
    const cost = fc.oneof(
      fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
      fc.constant('unknown' as const),
    );
    fc.assert(
      fc.property(fc.array(cost, { maxLength: 20 }), (costs) => {
        const { knownUsd, unknownAttempts } = costOf(costs.map(ended));
        expect(costOf(costs.toReversed().map(ended)).knownUsd).toBe(knownUsd);
        expect(unknownAttempts).toBe(costs.filter((one) => one === 'unknown').length);
        for (const one of costs) if (typeof one === 'number') expect(knownUsd).toBeGreaterThanOrEqual(one);
      }),
    );
  });
});

describe('a limit on cost', () => {
  it.each([
    [0.79, 0.8, false],
    [0.1 + 0.7, 0.8, true],
    [0.8, 0.8, true],
    [3, 0.8, true],
    ['unknown', 0.8, false],
  ] as const)('with %s spent of %s is reached: %s', (spent, max, isReached) => {
    expect(costStop(spent, max) !== undefined).toBe(isReached);
  });
});

function store(layout: RunLayout, record: DispatchRecord): void {
  writeFileSync(recordPathOf(layout, record.dispatchId), JSON.stringify(dispatchRecordCodec.encode(record)));
}

function storeSidecar(layout: RunLayout, { dispatchId }: DispatchRecord, sidecar: Partial<StatusSidecar>): string {
  const path = sidecarPathOf(layout, dispatchId);
  mkdirSync(dirname(path), { recursive: true });
  const document = statusSidecarCodec.encode({ ...sidecarLike('exited'), ...sidecar, dispatchId });
  writeFileSync(path, JSON.stringify(document));
  return path;
}

const usage = (costUsd: number | 'unknown') => ({
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 'unknown' as const,
  costUsd,
});

describe('what a run on the disk cost', () => {
  it('is in its records, and of attempts that ended and aren’t settled in their sidecars', async () => {
    const layout = bareRun();
    store(layout, attemptOf({ invocation: 'inv-1', like: 'unsealed' }, { usage: usage(0.5) }));
    store(layout, attemptOf({ invocation: 'inv-2', like: 'unsealed' }, { usage: usage('unknown') }));
    const [justEnded, runs, starts] = ['inv-3', 'inv-4', 'inv-5'].map((invocation) => attemptOf({ invocation }));
    for (const record of [justEnded, runs, starts]) if (record !== undefined) store(layout, record);
    if (justEnded !== undefined) storeSidecar(layout, justEnded, { usage: usage(0.25) });
    if (runs !== undefined) storeSidecar(layout, runs, { stage: 'starting', usage: usage('unknown') });
    expect(await readRunCost(layout)).toEqual({ knownUsd: 0.75, unknownAttempts: 1, openAttempts: 2 });
  });

  it('is unknown of a record that can’t be read', async () => {
    const layout = bareRun();
    store(layout, attemptOf({ invocation: 'inv-1', like: 'unsealed' }, { usage: usage(0.5) }));
    writeFileSync(recordPathOf(layout, attemptOf({ invocation: 'inv-2' }).dispatchId), '{');
    expect(await readRunCost(layout)).toEqual({ knownUsd: 0.5, unknownAttempts: 1, openAttempts: 0 });
  });

  it('counts only sidecars that are there, can be read and say an end', async () => {
    const layout = bareRun();
    const [a, b, c] = ['inv-1', 'inv-2', 'inv-3'].map((invocation) => attemptOf({ invocation }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three');
    const damaged = storeSidecar(layout, c, {});
    writeFileSync(damaged, '{');
    const paths = [
      storeSidecar(layout, a, { usage: usage(0.5) }),
      storeSidecar(layout, b, { stage: 'running', usage: usage(9) }),
      damaged,
      sidecarPathOf(layout, attemptOf({ invocation: 'inv-4' }).dispatchId),
    ];
    expect(await costInSidecars(paths)).toBe(0.5);
  });
});
