import { parseArgs } from 'node:util';

export interface CrashArguments {
  /** Undefined: every possible kill once. */
  readonly kills: number | undefined;
  readonly seed: number;
}

export const CRASH_USAGE = 'crash [--kills N] [--seed S] [--points all|sample] [--json]';

/** A spread over everything that stays within some minutes. */
const SAMPLE_KILLS = 60;

/** Reads the arguments of `crash`; undefined where they aren't its own. JSON is what it always prints. */
export function parseCrashArguments(args: readonly string[]): CrashArguments | undefined {
  const values = valuesOf(args);
  if (values === undefined) return undefined;
  const { kills, seed = '1', points = 'sample' } = values;
  const isKnown = [kills ?? '1', seed].every((word) => /^\d+$/.test(word)) && ['all', 'sample'].includes(points);
  if (!isKnown) return undefined;
  const byPoints = points === 'all' ? undefined : SAMPLE_KILLS;
  return { kills: kills === undefined ? byPoints : Number(kills), seed: Number(seed) };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { kills: text, seed: text, points: text, json: { type: 'boolean' } } })
      .values;
  } catch {
    return undefined; // an option or a word that isn't one of ours
  }
}
