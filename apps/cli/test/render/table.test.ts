import { describe, expect, it } from 'vitest';
import { byteCount, shortDuration, table } from '../../src/render/table.ts';

describe('a table', () => {
  it('has its columns aligned, two spaces apart, and no space at the end of a line', () => {
    expect(
      table([
        ['a', 'status', ''],
        ['implementer', 'ok', 'x'],
        ['b', '', ''],
      ]),
    ).toEqual(['a            status', 'implementer  ok      x', 'b']);
  });

  it('counts what a terminal shows: wide characters twice, colours and combining marks not at all', () => {
    expect(
      table([
        ['宿', '|'],
        ['\u001b[31mred\u001b[39m', '|'],
        ['e\u0301', '|'],
        ['👩‍👩‍👧', '|'],
      ]),
    ).toEqual(['宿   |', '\u001b[31mred\u001b[39m  |', 'e\u0301    |', '👩‍👩‍👧   |']);
  });

  it('takes rows of different lengths, and none', () => {
    expect(table([['a'], ['bb', 'c']])).toEqual(['a', 'bb  c']);
    expect(table([])).toEqual([]);
    expect(table([[], ['a']])).toEqual(['', 'a']);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.9, '1.0 s'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [59_999, '1 min 0 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [61_000, '1 min 1 s'],
    [3_599_900, '1 h 0 min'],
    [3_600_000, '1 h 0 min'],
    [90_061_000, '25 h 1 min'],
  ])('of %i ms is said as %s', (ms, words) => {
    expect(shortDuration(ms)).toBe(words);
  });
});

describe('an amount of bytes', () => {
  it('is said in the largest unit that it fills', () => {
    expect([0, 1, 1023, 1024, 1_572_864, 3 * 1024 ** 4].map(byteCount)).toEqual([
      '0 bytes',
      '1 bytes',
      '1023 bytes',
      '1.0 KiB',
      '1.5 MiB',
      '3.0 TiB',
    ]);
  });
});
