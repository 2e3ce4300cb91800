import fc from 'fast-check';

const VISIBLE = Array.from('aZ09._-:/\\~%@#é漢🛠');

/** Text that every id of one line may be: visible at its ends, nothing forbidden inside, at most `max` characters. */
export function lineText(max: number): fc.Arbitrary<string> {
  const visible = fc.string({ unit: fc.constantFrom(...VISIBLE), minLength: 1, maxLength: 1 });
  const inner = fc.string({ unit: fc.constantFrom(...VISIBLE, ' '), maxLength: Math.min(max - 2, 60) });
  const ends = fc.constantFrom('', ':attempt-1', ':attempt-12', '~2', ':seal-3');
  return fc
    .tuple(visible, inner, visible, ends)
    .map(([first, middle, last, end]) => `${first}${middle}${last}${end}`)
    .filter((text) => Array.from(text).length <= max);
}

/** Text that no id may be, whatever its kind. */
export const refusedText: fc.Arbitrary<string> = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.string(), fc.constantFrom(...forbidden()), fc.string()).map((parts) => parts.join('')),
  fc.string({ minLength: 1 }).map((text) => ` ${text}`),
  fc.string({ minLength: 1 }).map((text) => `${text}\t`),
  fc.integer({ min: 201, max: 2000 }).map((length) => 'x'.repeat(length)),
);

/** Anything that isn't a string. */
export const notText: fc.Arbitrary<unknown> = fc
  .anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true })
  .filter((value) => typeof value !== 'string');

function forbidden(): readonly string[] {
  const controls = Array.from({ length: 0x20 }, (_, unit) => String.fromCharCode(unit));
  return [...controls, '\u007f', '\u0085', '\u009f', '\u2028', '\u2029', '\u202e', '\u200b', '\ud800', '\udfff'];
}
