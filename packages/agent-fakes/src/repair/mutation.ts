import type { Token } from './tokens.ts';

/** One small edit of a source text: `source.slice(start, end)` becomes `replacement`. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** How often a bug is of this kind, 0 the most often; likelier ones are tried first. */
  readonly rarity: 0 | 1 | 2 | 3;
}

export type MutationFamily = (source: string, tokens: readonly Token[]) => readonly Mutation[];

export function applyMutation(source: string, mutation: Mutation): string {
  return source.slice(0, mutation.start) + mutation.replacement + source.slice(mutation.end);
}
