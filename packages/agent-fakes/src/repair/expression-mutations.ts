import { swap } from './call-mutations.ts';
import type { Mutation } from './mutation.ts';
import { closingIndex, endsOperand, openingIndex, type Token } from './tokens.ts';

/** What begins a returned value that no `+ 1` can mend. */
const NOT_A_NUMBER = new Set(['{', '[', 'true', 'false', 'null', 'undefined', '!', 'new', 'async', 'function']);
const ORDERED = new Set(['-', '/', '%', '<', '>', '**']);

/** Whole expressions: operands in each other's place, a condition the wrong way round, a result off by one. */
export function expressionMutations(source: string, tokens: readonly Token[]): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === 'punctuation' && ORDERED.has(token.text)) return swapOperands(source, tokens, index);
    if (token.text === '?' && token.kind === 'punctuation') return swapBranches(source, tokens, index);
    if (token.text === 'if') return negateCondition(source, tokens, index);
    if (token.text === 'return') return offByOne(tokens, index);
    return [];
  });
}

function swapOperands(source: string, tokens: readonly Token[], index: number): readonly Mutation[] {
  if (!endsOperand(tokens[index - 1])) return [];
  const from = tokens[operandStart(tokens, index - 1)];
  const to = tokens[operandEnd(tokens, index + 1)];
  const [left, right] = [tokens[index - 1], tokens[index + 1]];
  if (!from || !to || !left || !right) return [];
  return [swap(source, { start: from.start, end: left.end }, { start: right.start, end: to.end }, 1)];
}

/** Back over `a.b(c)[d]` to its `a`. */
function operandStart(tokens: readonly Token[], last: number): number {
  let at = last;
  for (;;) {
    if ([')', ']'].includes(tokens[at]?.text ?? '')) at = openingIndex(tokens, at) ?? at;
    const before = tokens[at - 1];
    if (before !== undefined && ['.', '?.'].includes(before.text)) at -= 2;
    else if (['(', '['].includes(tokens[at]?.text ?? '') && endsOperand(before)) at -= 1;
    else return at;
  }
}

/** Forward over `a.b(c)[d]` to its last bracket. */
function operandEnd(tokens: readonly Token[], first: number): number {
  let at = ['(', '['].includes(tokens[first]?.text ?? '') ? (closingIndex(tokens, first) ?? first) : first;
  for (;;) {
    const next = tokens[at + 1]?.text ?? '';
    if (['.', '?.'].includes(next)) at += 2;
    else if (['(', '['].includes(next)) at = closingIndex(tokens, at + 1) ?? at + 1;
    else return at;
  }
}

function swapBranches(source: string, tokens: readonly Token[], index: number): readonly Mutation[] {
  const colon = findAtDepth(tokens, index + 1, [':']);
  const end = colon === undefined ? undefined : findAtDepth(tokens, colon + 1, [';', ',', ')', ']', '}']);
  const marks = [tokens[index + 1], tokens[(colon ?? 0) - 1], tokens[(colon ?? 0) + 1], tokens[(end ?? 0) - 1]];
  const [leftStart, leftEnd, rightStart, rightEnd] = marks;
  if (colon === index + 1 || end === undefined || !leftStart || !leftEnd || !rightStart || !rightEnd) return [];
  const left = { start: leftStart.start, end: leftEnd.end };
  return [swap(source, left, { start: rightStart.start, end: rightEnd.end }, 1)];
}

function negateCondition(source: string, tokens: readonly Token[], index: number): readonly Mutation[] {
  const [open, close] = [tokens[index + 1], tokens[closingIndex(tokens, index + 1) ?? -1]];
  if (open?.text !== '(' || close === undefined) return [];
  const condition = source.slice(open.end, close.start);
  return [{ start: open.end, end: close.start, replacement: `!(${condition})`, rarity: 2 }];
}

function offByOne(tokens: readonly Token[], index: number): readonly Mutation[] {
  const end = findAtDepth(tokens, index + 1, [';', '}']);
  const last = tokens[(end ?? 0) - 1];
  const first = tokens[index + 1];
  if (end === undefined || end === index + 1 || last === undefined || NOT_A_NUMBER.has(first?.text ?? '')) return [];
  return [' + 1', ' - 1'].map((replacement) => ({ start: last.end, end: last.end, replacement, rarity: 2 }) as const);
}

/** The next of `signs` that is not inside brackets opened on the way. */
function findAtDepth(tokens: readonly Token[], from: number, signs: readonly string[]): number | undefined {
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind !== 'punctuation') continue;
    if (signs.includes(token.text)) return index;
    if (['(', '[', '{'].includes(token.text)) index = closingIndex(tokens, index) ?? tokens.length;
  }
  return undefined;
}
