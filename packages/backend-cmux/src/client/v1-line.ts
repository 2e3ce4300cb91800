/** What needs no quotes in a line of the older half of the protocol. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * A word of such a line. Control characters become spaces, since a line break would end the line and the app's own escapes
 * differ between versions; a word that begins with `--` is led by a space, since the app would take it for an option.
 */
export function quoteWord(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, ' ').replaceAll('\\', '\\\\');
  if (PLAIN.test(clean)) return clean;
  const led = clean.startsWith('--') || clean === '' ? ` ${clean}` : clean;
  return `'${led.replaceAll("'", "\\'")}'`;
}

/** `verb word… --option=value…`, quoted. */
export function v1Line(
  verb: string,
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${quoteWord(String(value))}`],
  );
  return [verb, ...words.map(quoteWord), ...given].join(' ');
}
