import { RpcFailure } from './failure.ts';

export type Params = Readonly<Record<string, unknown>>;

/** A text, or undefined where there is none or something else. */
export function textOf(params: Params, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = params[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

const TRUE: readonly unknown[] = [true, 1, '1', 'yes', 'on', 'true'];
const FALSE: readonly unknown[] = [false, 0, '0', 'no', 'off', 'false'];

/** A truth value as the app takes it: words and numbers too. */
export function flagOf(params: Params, name: string): boolean | undefined {
  const given = params[name];
  const value = typeof given === 'string' ? given.toLowerCase() : given;
  if (TRUE.includes(value)) return true;
  return FALSE.includes(value) ? false : undefined;
}

/** A whole number, also one in a text. */
export function countOf(params: Params, name: string): number | undefined {
  const value = params[name];
  if (typeof value === 'number') return Math.trunc(value);
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** Texts by name; anything else in it is passed over. */
export function textsOf(params: Params, ...names: readonly string[]): Readonly<Record<string, string>> {
  for (const name of names) {
    const value = params[name];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(
        Object.entries(value).filter((row): row is [string, string] => typeof row[1] === 'string'),
      );
  }
  return {};
}

/** A folder; the app doesn't look whether it is there. */
export function directoryOf(params: Params, home: string): string | null {
  const value = params['working_directory'] ?? params['cwd'];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new RpcFailure('invalid_params', 'cwd must be a string');
  return value.replace(/^~(?=\/|$)/, home);
}
