import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, visible } from '../../src/report/html.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What a browser makes of escaped text. */
function read(markup: string): string {
  return markup.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** Any text, with what markup is made of and what a page would not show much more often than chance would have it. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        '</style>',
        '<!--',
        '-->',
        ']]>',
        '<script>',
        '&lt;',
        '&#x3c;',
        '`',
        '=',
      ),
      fc.constantFrom('\0', '\u001b[2J', '\u202e', '\u2066', '\ufeff', '\r', '\u2028', '\ud800', '\udc00', '\u0085'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('markup from a template', () => {
  it('has no tag, attribute or entity of what is laid in, and shows it whole', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [, inTag, inside] =
          /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/.exec(html`<p title="${text}">${text}</p>`.toString()) ?? [];
        expect([read(inTag ?? '?'), read(inside ?? '?')]).toEqual([visible(text), visible(text)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes markup, numbers, lists and nothing', () => {
    const item = (text: string) => html`<li>${text}</li>`;
    expect(html`<ul>${['a&b', 'c'].map(item)}${null}</ul>${7}`.toString()).toBe('<ul><li>a&amp;b</li><li>c</li></ul>7');
  });
});

describe('text in a page', () => {
  it('keeps no character that nobody would see, but for line feeds and tabs', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visible(text);
        expect(shown.replace(/[\t\n]/g, '')).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(visible(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['abc\tde\nf', 'abc\tde\nf'],
    ['cart\u202egpj.exe', 'cart\\u202egpj.exe'],
    ['\ud83d\ude00 \ud83d', '😀 \\ud83d'],
    ['bell\u0007', 'bell\\u0007'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['می\u200cروم', 'می\u200cروم'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
