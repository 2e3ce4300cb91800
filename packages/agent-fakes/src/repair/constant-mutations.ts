import type { Mutation } from './mutation.ts';
import { endsOperand, type Token } from './tokens.ts';

/** Numbers and booleans: off by one, off by a factor, a forgotten or superfluous `+ 1`, the opposite truth. */
export function constantMutations(_source: string, tokens: readonly Token[]): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === 'number') return [...otherNumbers(token), ...withoutAddend(tokens, index)];
    if (token.text === 'true') return [{ ...spanOf(token), replacement: 'false', rarity: 1 }];
    if (token.text === 'false') return [{ ...spanOf(token), replacement: 'true', rarity: 1 }];
    if (token.text === 'length' && tokens[index - 1]?.text === '.') return lengthOffByOne(token);
    return [];
  });
}

function otherNumbers(token: Token): readonly Mutation[] {
  const value = Number(token.text.replaceAll('_', ''));
  if (!Number.isFinite(value)) return [];
  const near = Number.isInteger(value) ? [value + 1, value - 1] : [];
  const far = value === 0 ? [] : [value * 10, value / 10, value * 60, value / 60];
  return [
    ...near.map((number) => ({ ...spanOf(token), replacement: literal(number), rarity: 1 }) as const),
    ...far.map((number) => ({ ...spanOf(token), replacement: literal(number), rarity: 3 }) as const),
  ];
}

/** `x + 1` without the `+ 1`. */
function withoutAddend(tokens: readonly Token[], index: number): readonly Mutation[] {
  const token = tokens[index];
  const sign = tokens[index - 1];
  if (token === undefined || sign === undefined || !['+', '-'].includes(sign.text)) return [];
  if (!endsOperand(tokens[index - 2])) return [];
  return [{ start: sign.start, end: token.end, replacement: '', rarity: 1 }];
}

function lengthOffByOne(token: Token): readonly Mutation[] {
  return [
    { start: token.end, end: token.end, replacement: ' - 1', rarity: 1 },
    { start: token.end, end: token.end, replacement: ' + 1', rarity: 2 },
  ];
}

/** A negative number is put in brackets: `2 - -1` and `x--1` must not come out. */
function literal(number: number): string {
  return number < 0 ? `(${number})` : String(number);
}

function spanOf(token: Token): { readonly start: number; readonly end: number } {
  return { start: token.start, end: token.end };
}
