import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildDispatchId,
  type InvocationId,
  type InvocationRef,
  invocationIdOf,
  isAttempt,
  MAX_ATTEMPT,
  parseAttempt,
  parseDispatchId,
  parseInvocationId,
  parseInvocationRef,
  sealKeyOf,
  splitDispatchId,
} from '../../src/index.ts';
import { lineText } from '../arbitraries.ts';
import { refusal } from '../expect-code.ts';

const invocationId: fc.Arbitrary<InvocationId> = lineText(180).map((text) => parseInvocationId(text));
const invocationRef: fc.Arbitrary<InvocationRef> = lineText(160).map((text) => parseInvocationRef(text));
const attempt = fc.integer({ min: 1, max: MAX_ATTEMPT });

describe('dispatch ids', () => {
  it('ID-5 are <invocationId>:attempt-<n>', () => {
    expect(buildDispatchId(parseInvocationId('inv-1~1'), 1)).toBe('inv-1~1:attempt-1');
  });

  it('ID-5 split into exactly what they were built from, even when the invocation id looks like a dispatch id', () => {
    fc.assert(
      fc.property(invocationId, attempt, (id, n) => {
        const built = buildDispatchId(id, n);
        expect(parseDispatchId(built)).toBe(built);
        expect(splitDispatchId(built)).toEqual({ invocationId: id, attempt: n });
      }),
    );
    const nested = buildDispatchId(parseInvocationId('a:attempt-1'), 2);
    expect(splitDispatchId(nested)).toEqual({ invocationId: 'a:attempt-1', attempt: 2 });
  });

  it('ID-5 are the same only for the same invocation id and attempt', () => {
    fc.assert(
      fc.property(invocationId, attempt, invocationId, attempt, (idA, nA, idB, nB) => {
        const isSame = buildDispatchId(idA, nA) === buildDispatchId(idB, nB);
        expect(isSame).toBe(idA === idB && nA === nB);
      }),
    );
  });

  it('ID-5 are never split out of a text that no invocation id and attempt give', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = `${before}:attempt-${after}`;
        try {
          const parts = splitDispatchId(parseDispatchId(text));
          expect(buildDispatchId(parts.invocationId, parts.attempt)).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'DISPATCH_ID_INVALID' });
        }
      }),
    );
  });

  it('ID-5 are refused for an attempt that is none', () => {
    refusal('ATTEMPT_INVALID', () => buildDispatchId(parseInvocationId('inv'), 0));
    refusal('ATTEMPT_INVALID', () => buildDispatchId(parseInvocationId('inv'), MAX_ATTEMPT + 1));
  });
});

describe('seal keys and invocation ids', () => {
  it('ID-5 a seal key is of one invocation ref and attempt only', () => {
    fc.assert(
      fc.property(invocationRef, attempt, invocationRef, attempt, (refA, nA, refB, nB) => {
        expect(sealKeyOf(refA, nA) === sealKeyOf(refB, nB)).toBe(refA === refB && nA === nB);
      }),
    );
    expect(sealKeyOf(parseInvocationRef('inv-1'), 2)).toBe('inv-1:seal-2');
  });

  it('ID-4 every attempt of every ref has an invocation id and a dispatch id, however long the ref', () => {
    fc.assert(
      fc.property(fc.oneof(invocationRef, fc.constant(parseInvocationRef('r'.repeat(160)))), attempt, (ref, n) => {
        const id = invocationIdOf(ref, n);
        expect(id).toBe(`${ref}~${n}`);
        expect(splitDispatchId(buildDispatchId(id, n)).invocationId).toBe(id);
      }),
    );
  });
});

describe('attempts', () => {
  it('ID-2 are integers from 1: true is not 1, "1" is not 1', () => {
    for (const good of [1, 2, MAX_ATTEMPT]) expect(parseAttempt(good)).toBe(good);
    for (const bad of [
      true,
      '1',
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      MAX_ATTEMPT + 1,
      null,
      undefined,
      [1],
      1n,
      {},
    ]) {
      expect(isAttempt(bad)).toBe(false);
      expect(refusal('ATTEMPT_INVALID', () => parseAttempt(bad, 'x.meta.json'))).toMatchObject({
        field: 'attempt',
        path: 'x.meta.json',
      });
    }
  });
});
