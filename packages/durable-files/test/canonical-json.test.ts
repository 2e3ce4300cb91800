import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digestOfDocument } from '../src/index.ts';

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

/** The same data with the members of every object put in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, reversed(member)]));
}

describe('canonicalJson', () => {
  it('keeps the data of every JSON value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('ID-9 does not depend on key order or whitespace', () => {
    fc.assert(
      fc.property(json, (value) => {
        const respaced: unknown = JSON.parse(JSON.stringify(reversed(value), null, 3));
        expect(canonicalJson(respaced)).toBe(canonicalJson(value));
        expect(digestOfDocument(respaced)).toBe(digestOfDocument(value));
      }),
    );
  });

  it('ID-9 changes with any field', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { minKeys: 1 }), json, (value, other) => {
        const [key = ''] = Object.keys(value);
        const changed = { ...value, [key]: other };
        const isSame = canonicalJson(other) === canonicalJson(value[key]);
        expect(digestOfDocument(changed) === digestOfDocument(value)).toBe(isSame);
      }),
    );
  });

  it.each([
    [1e30, '1e+30'],
    [4.5, '4.5'],
    [0.002, '0.002'],
    [1e-27, '1e-27'],
    [-0, '0'],
    [9007199254740992, '9007199254740992'],
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
  ])('writes %j as RFC 8785 says', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('sorts keys by UTF-16 code units', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson({ z: Object.keys(value).sort() })).z)).toHaveLength(7);
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  const cycle: Record<string, unknown> = { a: [] };
  cycle['a'] = [{ b: cycle }];

  it.each([
    ['undefined', undefined, ''],
    ['an undefined member', { a: { b: undefined } }, '/a/b'],
    ['a hole in an array', [1, new Array(1)], '/1/0'],
    ['NaN', [Number.NaN], '/0'],
    ['infinity', { 'x/y~z': Number.POSITIVE_INFINITY }, '/x~1y~0z'],
    ['a bigint', { a: 1n }, '/a'],
    ['a function', { a: () => 1 }, '/a'],
    ['a symbol', [Symbol('s')], '/0'],
    ['a member under a symbol', { [Symbol('s')]: 1 }, ''],
    ['a Date', { at: new Date(0) }, '/at'],
    ['a Map', new Map(), ''],
    ['an object that rewrites itself', { toJSON: () => 1 }, '/toJSON'],
    ['half a surrogate pair', ['a\ud800'], '/0'],
    ['half a surrogate pair in a key', { '\udc00': 1 }, '/\udc00'],
    ['a cycle', cycle, '/a/0/b'],
  ])('refuses %s and says where it is', (_, value, pointer) => {
    expect(() => canonicalJson(value)).toThrow(
      expect.objectContaining({ code: 'CANONICAL_JSON_INVALID', issues: [expect.objectContaining({ path: pointer })] }),
    );
  });

  it('takes an object that occurs twice without being a cycle, objects without prototype, and any depth', () => {
    const shared = { n: 1 };
    const bare: unknown = Object.assign(Object.create(null), { a: shared });
    expect(canonicalJson([shared, shared, bare])).toBe('[{"n":1},{"n":1},{"a":{"n":1}}]');
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(canonicalJson(deep)).toHaveLength(40_000);
  });
});
