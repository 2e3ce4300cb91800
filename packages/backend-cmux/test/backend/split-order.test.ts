import type { SupervisedJob, SupervisionOrder } from '@bailiwick/dispatch-state';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOut } from '../../src/backend/split-order.ts';

// Only what is looked at: ids, locks and sockets.
const orderOf = (count: number, maxConcurrent: number): SupervisionOrder =>
  ({
    liveLockPath: '/run/locks/b.live',
    socketPath: '/run/user/1/bailiwick/x.sock',
    maxConcurrent,
    jobs: Array.from(
      { length: count },
      (_, at) => ({ dispatchId: `i-${at}~1:attempt-1`, provider: `p${at % 3}` }) as SupervisedJob,
    ),
  }) as unknown as SupervisionOrder;

it('every job is in one share, in order, and no more shares than may run at once; locks and sockets are their own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 40 }), (count, maxConcurrent) => {
      const order = orderOf(count, maxConcurrent);
      const shares = shareOut(order);
      expect(shares).toHaveLength(Math.min(count, maxConcurrent));
      const dealt = shares.flatMap((share) => share.order.jobs);
      expect(new Set(dealt)).toEqual(new Set(order.jobs));
      expect(dealt).toHaveLength(count);
      for (const { order: own, first } of shares) {
        expect(own.maxConcurrent).toBe(1);
        expect(own.jobs[0]).toBe(first);
      }
      const places = shares.flatMap(({ order: own }) => [own.liveLockPath, own.socketPath]);
      expect(new Set([...places, order.liveLockPath, order.socketPath]).size).toBe(places.length + 2);
    }),
  );
});

it('the jobs of a provider are in no more panes than of it may run at once, and every job is in one', () => {
  const limit = fc.integer({ min: 1, max: 6 });
  const limits = fc.record({ p0: limit, p1: limit, p2: limit }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 12 }), limits, (count, max, byProvider) => {
      const providerLimits = Object.entries(byProvider).map(([provider, most]) => ({ provider, maxConcurrent: most }));
      const order = { ...orderOf(count, max), providerLimits };
      const shares = shareOut(order);
      expect(shares.flatMap((share) => share.order.jobs).toSorted(byId)).toEqual(order.jobs.toSorted(byId));
      expect(shares.length).toBeLessThanOrEqual(max);
      for (const [provider, most] of Object.entries(byProvider)) {
        const panes = shares.filter((share) => share.order.jobs.some((job) => job.provider === provider));
        expect(panes.length).toBeLessThanOrEqual(most);
      }
    }),
  );
});

function byId(a: SupervisedJob, b: SupervisedJob): number {
  return a.dispatchId.localeCompare(b.dispatchId);
}
