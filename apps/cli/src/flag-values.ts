import { InvalidArgumentError } from 'commander';

/** `a, b` → its parts, none of them empty. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A flag that may stand several times. */
export function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `2h`, `30d`, `500ms` → milliseconds. */
export function duration(value: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value) ?? [];
  const factor = UNIT_MS[unit];
  if (factor === undefined) throw new InvalidArgumentError('a duration looks like 90s, 10m or 2h.');
  return Math.round(Number(number) * factor);
}

/** `5`, `0.50` → US dollars, more than none. */
export function usd(value: string): number {
  const amount = /^\d{1,9}(?:\.\d{1,6})?$/.test(value) ? Number(value) : 0;
  if (amount <= 0) throw new InvalidArgumentError('it takes US dollars above 0, such as 5 or 0.50.');
  return amount;
}

/** A whole number from 1. */
export function count(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('it takes a whole number from 1.');
  return Number(value);
}
