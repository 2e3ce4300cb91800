import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, MAX_LINE_BYTES, type StreamLine } from '../../src/index.ts';

function split(chunks: readonly Uint8Array[], maxLineBytes?: number): readonly StreamLine[] {
  const splitter = createLineSplitter(maxLineBytes);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

describe('the line splitter', () => {
  it('cuts lines at line feeds and drops a carriage return before them', () => {
    const lines = split([Buffer.from('a\r\nb\n\nc')]);
    expect(lines.map((line) => line.text)).toEqual(['a', 'b', '', 'c']);
    expect(lines.map((line) => line.bytes)).toEqual([2, 1, 0, 1]);
  });

  it('joins a line that came in pieces, in the middle of a character too', () => {
    const bytes = Buffer.from('größe\n');
    const lines = split([...bytes].map((byte) => Uint8Array.of(byte)));
    expect(lines).toEqual([{ text: 'größe', bytes: 7, cutBytes: 0 }]);
  });

  it('keeps what it holds when the caller reuses its chunk', () => {
    const splitter = createLineSplitter();
    const chunk = Buffer.from('abc');
    splitter.push(chunk);
    chunk.fill(0);
    expect(splitter.tail()).toBe('abc');
  });

  it('cuts an enormous line and counts what it cut off', () => {
    const size = MAX_LINE_BYTES + 5;
    const chunks = [Buffer.alloc(size - 2, 'x'), Buffer.from('yz\nnext\n')];
    const [first, second] = split(chunks);
    expect(first).toMatchObject({ bytes: size, cutBytes: 5 });
    expect(first?.text).toHaveLength(MAX_LINE_BYTES);
    expect(second).toEqual({ text: 'next', bytes: 4, cutBytes: 0 });
  });

  it('replaces invalid UTF-8 and goes on', () => {
    const lines = split([Uint8Array.of(0x61, 0xff, 0xc3, 0x0a, 0x62, 0x0a)]);
    expect(lines.map((line) => line.text)).toEqual(['a\ufffd\ufffd', 'b']);
  });

  it('gives the same lines however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.integer({ min: 1, max: 50 }),
        (chunks, maxLineBytes) => {
          expect(split(chunks, maxLineBytes)).toEqual(split([Buffer.concat(chunks)], maxLineBytes));
        },
      ),
    );
  });

  it('loses no byte: each one is in a line or is a line feed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const lines = split([bytes], 10);
        const feeds = bytes.filter((byte) => byte === 10).length;
        expect(lines.reduce((sum, line) => sum + line.bytes, feeds)).toBe(bytes.length);
      }),
    );
  });
});
