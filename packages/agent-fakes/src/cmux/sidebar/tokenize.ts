const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' };

/** A word of a line, and whether any of it stood in quotes: a `--` in quotes separates nothing. */
export interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * Splits a v1 line as the app does: on white space, with quotes of both kinds that may be glued to other text, escapes inside
 * them, and an empty quoted word that vanishes.
 */
export function tokenize(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let text = '';
  let isQuoted = false;
  let quote = '';
  const end = (): void => {
    if (text !== '') tokens.push({ text, isQuoted });
    text = '';
    isQuoted = false;
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote === '' && /\s/.test(character)) end();
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      isQuoted ||= text === '';
    } else if (character === quote) quote = '';
    else if (quote !== '' && character === '\\' && next in ESCAPES) {
      text += ESCAPES[next] ?? '';
      at += 1;
    } else text += character;
  }
  end();
  return tokens;
}

/** Options (`--name value`, `--name=value`) and the words that are none. */
export interface Words {
  readonly options: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** `stopsAtSeparator`: after a bare `--` everything is a word; else it is skipped and options go on. */
export function readWords(tokens: readonly Token[], o: { readonly stopsAtSeparator: boolean }): Words {
  const options: Record<string, string> = {};
  const words: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    const { text, isQuoted } = token;
    if (text === '--' && !isQuoted) {
      if (!o.stopsAtSeparator) continue;
      words.push(...tokens.slice(at + 1).map((rest) => rest.text));
      break;
    }
    if (!text.startsWith('--') || isQuoted) words.push(text);
    else if (text.includes('=')) options[text.slice(2, text.indexOf('='))] = text.slice(text.indexOf('=') + 1);
    else {
      const value = tokens[at + 1];
      const isValue = value !== undefined && !value.text.startsWith('--');
      options[text.slice(2)] = isValue ? value.text : '';
      if (isValue) at += 1;
    }
  }
  return { options, words };
}
