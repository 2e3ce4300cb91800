/** Markup that is safe to stand in a page: our own words, and values that were escaped. Made by `html`, and of constants of ours. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may be laid into a template; null is nothing. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/**
 * Markup from a template. Whatever is laid in is escaped, unless it is markup itself: there is no other way for a value into a page.
 * Values stand between tags or in double-quoted attributes, never in a tag's name, a style or a comment.
 */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(template.map((own, at) => (at === 0 ? own : `${markupOf(values[at - 1] ?? null)}${own}`)).join(''));
}

function markupOf(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? escaped(value) : value.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/**
 * Control characters, marks that turn the direction of what follows, and halves of characters: a page would not show them as they are.
 * The two joiners (U+200C, U+200D) belong to the spelling of some languages.
 */
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** The text with all that nobody would see written out, as `\u202e`; line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  });
}
