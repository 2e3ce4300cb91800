import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFileName, isStagingName } from '../src/index.ts';

const id = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('a', 'A', '.', '%', '-', '~', '4', '1', 'é', '/'), minLength: 1, maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a', 'A'), minLength: 115, maxLength: 130 }),
    fc.constantFrom('.', '..', 'con', 'CON', 'aux.json', 'com1', 'lpt9.x', 'nul', 'null', 'a.', 'a ', '~', ':'),
  )
  .filter((text) => text.isWellFormed());

describe('encodeFileName', () => {
  it('gives different ids different names, even where case is ignored', () => {
    fc.assert(
      fc.property(id, id, (left, right) => {
        expect(encodeFileName(left).toLowerCase() === encodeFileName(right).toLowerCase()).toBe(left === right);
      }),
      { numRuns: 2000 },
    );
  });

  it('can be read back where it is short, which is why no two ids can share a name', () => {
    fc.assert(
      fc.property(id, (text) => {
        const name = encodeFileName(text);
        if (name.length <= 120) expect(decodeURIComponent(name)).toBe(text);
        else expect(name).toMatch(/^.{120}-[0-9a-f]{32}$/);
      }),
    );
  });

  it('gives names that every platform takes', () => {
    fc.assert(
      fc.property(id, (text) => {
        const name = encodeFileName(text);
        expect(name).toMatch(/^[a-z0-9_%-](?:[a-z0-9._%-]*[a-z0-9_%-])?$/);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/);
        expect(name.length).toBeLessThanOrEqual(153);
        expect(isStagingName(name)).toBe(false);
      }),
    );
  });

  it.each([
    ['inv-1~1:attempt-2', 'inv-1%7e1%3aattempt-2'],
    ['Ünï/cödé', '%c3%9cn%c3%af%2fc%c3%b6d%c3%a9'],
    ['a.b_c-9', 'a.b_c-9'],
    ['%41', '%2541'],
    ['A', '%41'],
    ['..', '%2e%2e'],
    ['.hidden', '%2ehidden'],
    ['nul.txt', '%6eul.txt'],
    ['console', 'console'],
  ])('encodes %s as %s', (text, name) => {
    expect(encodeFileName(text)).toBe(name);
  });

  it('refuses what has no encoding', () => {
    for (const text of ['', 'a\ud800']) {
      expect(() => encodeFileName(text)).toThrow(expect.objectContaining({ code: 'FILE_NAME_INVALID' }));
    }
  });
});
