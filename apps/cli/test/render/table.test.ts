import { describe, expect, it } from 'vitest';
import { byteCount, table } from '../../src/render/table.ts';

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
