import { parseArgs } from 'node:util';

export interface PanesArguments {
  readonly dispatches: number;
  readonly seed: number;
  readonly version: string;
  /** Of a hundred replies of the app so many are lost. */
  readonly dropPercent: number;
}

export const PANES_USAGE = 'panes [--dispatches N] [--seed S] [--version V] [--drop-percent P]';

/** Reads the arguments of `panes`; undefined where they aren't its own. */
export function parsePanesArguments(args: readonly string[]): PanesArguments | undefined {
  const values = valuesOf(args);
  if (values === undefined) return undefined;
  const { dispatches = '200', seed = '1', version = 'new' } = values;
  const dropPercent = values['drop-percent'] ?? '10';
  if (![dispatches, seed, dropPercent].every((word) => /^\d+$/.test(word))) return undefined;
  return { dispatches: Number(dispatches), seed: Number(seed), version, dropPercent: Number(dropPercent) };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { dispatches: text, seed: text, version: text, 'drop-percent': text };
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined; // an option or a word that isn't one of ours
  }
}
