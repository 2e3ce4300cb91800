/** A piece of JavaScript or TypeScript source that could matter to a mutation; blanks and comments are left out. */
export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'regex' | 'punctuation';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PUNCTUATION = [
  '>>>=',
  '...',
  '===',
  '!==',
  '**=',
  '<<=',
  '>>=',
  '>>>',
  '&&=',
  '||=',
  '??=',
  '=>',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<',
  '>>',
  '**',
] as const;
const BLANK_OR_COMMENT = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/y;
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?n?/y;
const QUOTED = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE_CHUNK = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
/** After these words a slash begins a regular expression. */
const BEFORE_EXPRESSION = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'await',
  'yield',
  'new',
]);

/**
 * Splits source into tokens, template expressions included. Good enough to mutate: what it misreads makes a mutation
 * that doesn't parse, and such a one fails its test run.
 */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const braces: ('{' | '${')[] = [];
  for (let at = 0; at < source.length; ) {
    const blank = match(BLANK_OR_COMMENT, source, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const char = source.charAt(at);
    const isTemplate = char === '`' || (char === '}' && braces.pop() === '${');
    const lexeme = isTemplate ? templateChunk(source, at) : plainLexeme(source, at, tokens.at(-1));
    if (isTemplate && lexeme.text.endsWith('${')) braces.push('${');
    if (lexeme.text === '{') braces.push('{');
    tokens.push({ ...lexeme, start: at, end: at + lexeme.text.length });
    at += lexeme.text.length;
  }
  return tokens;
}

type Lexeme = Pick<Token, 'kind' | 'text'>;

function templateChunk(source: string, at: number): Lexeme {
  return { kind: 'string', text: source.charAt(at) + (match(TEMPLATE_CHUNK, source, at + 1) ?? '') };
}

function plainLexeme(source: string, at: number, last: Token | undefined): Lexeme {
  const patterns = [
    ['string', QUOTED],
    ...(endsOperand(last) ? [] : [['regex', REGEX] as const]),
    ['word', WORD],
    ['number', NUMBER],
  ] as const;
  for (const [kind, pattern] of patterns) {
    const text = match(pattern, source, at);
    if (text !== undefined) return { kind, text };
  }
  return { kind: 'punctuation', text: PUNCTUATION.find((sign) => source.startsWith(sign, at)) ?? source.charAt(at) };
}

/** Whether an operator after this token is a binary one. */
export function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'punctuation') return [')', ']', '}'].includes(token.text);
  return !(token.kind === 'word' && BEFORE_EXPRESSION.has(token.text));
}

/** The index of the bracket that closes the one at `open`; undefined where none does. */
export function closingIndex(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] ?? { kind: 'word', text: '' };
    if (kind !== 'punctuation') continue;
    if (['(', '[', '{'].includes(text)) depth += 1;
    if ([')', ']', '}'].includes(text)) depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

/** The index of the bracket that opens what the one at `close` closes; undefined where none does. */
export function openingIndex(tokens: readonly Token[], close: number): number | undefined {
  let depth = 0;
  for (let index = close; index >= 0; index -= 1) {
    const { kind, text } = tokens[index] ?? { kind: 'word', text: '' };
    if (kind !== 'punctuation') continue;
    if ([')', ']', '}'].includes(text)) depth += 1;
    if (['(', '[', '{'].includes(text)) depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
