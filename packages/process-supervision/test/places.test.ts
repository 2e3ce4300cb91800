import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Places } from '../src/places.ts';

it('gives each place to one at a time, to a provider no more than its limit, and again once it is free', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('take' as const), provider: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('give' as const), at: fc.nat() }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(step),
      (count, limit, steps) => {
        const places = new Places(count, [{ provider: 'a', maxConcurrent: limit }]);
        const taken: { provider: string; place: number }[] = [];
        for (const one of steps) {
          if (one.kind === 'give') {
            const [freed] = taken.splice(one.at % Math.max(1, taken.length), 1);
            if (freed !== undefined) places.give(freed.provider, freed.place);
            continue;
          }
          const ofProvider = taken.filter(({ provider }) => provider === one.provider).length;
          const isFull = taken.length === count || (one.provider === 'a' && ofProvider >= limit);
          const place = places.take(one.provider);
          expect(place === undefined).toBe(isFull);
          if (place === undefined) continue;
          expect(place).toBeGreaterThanOrEqual(1);
          expect(place).toBeLessThanOrEqual(count);
          expect(taken.map((seat) => seat.place)).not.toContain(place);
          taken.push({ provider: one.provider, place });
        }
      },
    ),
  );
});
