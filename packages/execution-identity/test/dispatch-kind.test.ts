import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDispatchKind, parseDispatchKind, roundOfDispatchKind } from '../src/index.ts';
import { refusal } from './expect-code.ts';

describe('dispatch kinds', () => {
  it('ID-8 the round is 1 for every kind but reverify-r<N>', () => {
    for (const kind of ['initial', 'translator', 'report'] as const) expect(roundOfDispatchKind(kind)).toBe(1);
  });

  it('ID-8 the round of reverify-r<N> is N', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (round) => {
        expect(roundOfDispatchKind(parseDispatchKind(`reverify-r${round}`))).toBe(round);
      }),
    );
  });

  it('ID-8 a malformed reverify-r… is refused', () => {
    const malformed = [
      '',
      '0',
      '00',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e3',
      ' 1',
      '1 ',
      '1\n',
      '0x1',
      '١',
      '1000000',
      'x',
      '1-r2',
    ];
    for (const tail of malformed) {
      expect(isDispatchKind(`reverify-r${tail}`)).toBe(false);
      refusal('DISPATCH_KIND_INVALID', () => parseDispatchKind(`reverify-r${tail}`));
    }
  });

  it('ID-8 nothing but the four forms is a kind', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string().map((tail) => `reverify-r${tail}`),
        ),
        (value) => {
          if (isDispatchKind(value)) expect(value).toMatch(/^(?:initial|translator|report|reverify-r[1-9]\d{0,5})$/);
          else refusal('DISPATCH_KIND_INVALID', () => parseDispatchKind(value));
        },
      ),
    );
  });
});
