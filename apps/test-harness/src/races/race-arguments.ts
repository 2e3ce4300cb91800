import { parseArgs } from 'node:util';

export interface RaceArguments {
  readonly races: number;
  readonly seed: number;
}

export const RACE_USAGE = 'races [--races N] [--seed S]';

/** Reads the arguments of `races`; undefined where they aren't its own. JSON is what it always prints. */
export function parseRaceArguments(args: readonly string[]): RaceArguments | undefined {
  const values = valuesOf(args);
  if (values === undefined) return undefined;
  const { races = '100', seed = '1' } = values;
  return [races, seed].every((word) => /^\d+$/.test(word)) ? { races: Number(races), seed: Number(seed) } : undefined;
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { races: text, seed: text, json: { type: 'boolean' } } }).values;
  } catch {
    return undefined; // an option or a word that isn't one of ours
  }
}
