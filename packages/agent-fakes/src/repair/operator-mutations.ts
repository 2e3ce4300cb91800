import type { Mutation } from './mutation.ts';
import { endsOperand, type Token } from './tokens.ts';

/** Comparisons that are off by the boundary: the commonest of small bugs. */
const BOUNDARY: Readonly<Record<string, readonly string[]>> = { '<': ['<='], '<=': ['<'], '>': ['>='], '>=': ['>'] };

const OPERATOR: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&', '??'],
  '??': ['||'],
  '+': ['-', '*'],
  '-': ['+'],
  '*': ['/', '+'],
  '/': ['*', '%'],
  '%': ['/', '*'],
  '+=': ['-=', '='],
  '-=': ['+=', '='],
  '*=': ['/=', '+='],
  '/=': ['*='],
  '++': ['--'],
  '--': ['++'],
};

const DIRECTION: Readonly<Record<string, readonly string[]>> = {
  '<': ['>', '>='],
  '<=': ['>=', '>'],
  '>': ['<', '<='],
  '>=': ['<=', '<'],
};

const DECLARES = new Set(['const', 'let', 'var']);

/** Exchanged operators, dropped negations and signs, and `=` where `+=` was meant. */
export function operatorMutations(_source: string, tokens: readonly Token[]): readonly Mutation[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'punctuation') return [];
    if (token.text === '!') return [replace(token, '', 1)];
    const isUnarySign = ['+', '-'].includes(token.text) && !endsOperand(tokens[index - 1]);
    if (isUnarySign) return [replace(token, '', 2)];
    if (token.text === '=')
      return isAssignment(tokens, index) ? [replace(token, '+=', 2), replace(token, '-=', 3)] : [];
    return [
      ...(BOUNDARY[token.text] ?? []).map((text) => replace(token, text, 0)),
      ...(OPERATOR[token.text] ?? []).map((text) => replace(token, text, 1)),
      ...(DIRECTION[token.text] ?? []).map((text) => replace(token, text, 2)),
    ];
  });
}

function replace(token: Token, replacement: string, rarity: Mutation['rarity']): Mutation {
  return { start: token.start, end: token.end, replacement, rarity };
}

/** Not a declaration and not a default: `name =` or `member =` at the start of a statement. */
function isAssignment(tokens: readonly Token[], index: number): boolean {
  for (let before = index - 1; before >= 0; before -= 1) {
    const text = tokens[before]?.text ?? '';
    if (DECLARES.has(text) || ['(', ',', '{'].includes(text)) return text === '{';
    if ([';', '}', ')'].includes(text)) return true;
  }
  return false;
}
