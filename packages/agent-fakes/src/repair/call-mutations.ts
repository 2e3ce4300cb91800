import type { Mutation } from './mutation.ts';
import { closingIndex, endsOperand, type Token } from './tokens.ts';

/** Methods that are taken for one another. */
const ALIKE: readonly (readonly string[])[] = [
  ['min', 'max'],
  ['floor', 'ceil', 'round', 'trunc'],
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['indexOf', 'lastIndexOf'],
  ['find', 'findLast'],
  ['toUpperCase', 'toLowerCase'],
  ['trimStart', 'trimEnd', 'trim'],
  ['padStart', 'padEnd'],
  ['keys', 'values'],
  ['getDate', 'getDay'],
  ['getUTCDate', 'getUTCDay'],
  ['flatMap', 'map'],
  ['replace', 'replaceAll'],
];

/** A method taken for its neighbour, and two arguments in each other's place. */
export function callMutations(source: string, tokens: readonly Token[]): readonly Mutation[] {
  return [...methodMutations(tokens), ...argumentSwaps(source, tokens)];
}

function methodMutations(tokens: readonly Token[]): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || !['.', '?.'].includes(tokens[index - 1]?.text ?? '')) return [];
    const others = ALIKE.find((names) => names.includes(token.text))?.filter((name) => name !== token.text) ?? [];
    return others.map((replacement) => ({ start: token.start, end: token.end, replacement, rarity: 1 }) as const);
  });
}

function argumentSwaps(source: string, tokens: readonly Token[]): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    if (token.text !== '(' || token.kind !== 'punctuation' || !endsOperand(tokens[index - 1])) return [];
    const spans = argumentSpans(tokens, index);
    return spans.slice(1).flatMap((right, position) => {
      const left = spans[position];
      return left === undefined ? [] : [swap(source, left, right, 1)];
    });
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Two spans in each other's place, what is between them kept. */
export function swap(source: string, left: Span, right: Span, rarity: Mutation['rarity']): Mutation {
  const between = source.slice(left.end, right.start);
  const replacement = source.slice(right.start, right.end) + between + source.slice(left.start, left.end);
  return { start: left.start, end: right.end, replacement, rarity };
}

function argumentSpans(tokens: readonly Token[], open: number): readonly Span[] {
  const close = closingIndex(tokens, open);
  if (close === undefined) return [];
  const spans: Span[] = [];
  let first = open + 1;
  for (let index = first; index <= close; index += 1) {
    const text = tokens[index]?.text ?? '';
    if (index === close || text === ',') {
      const [from, to] = [tokens[first], tokens[index - 1]];
      if (from !== undefined && to !== undefined && index > first) spans.push({ start: from.start, end: to.end });
      first = index + 1;
    } else if (['(', '[', '{'].includes(text)) index = closingIndex(tokens, index) ?? close;
  }
  return spans;
}
