import { isDeepStrictEqual } from 'node:util';

// Enough to see what happened; a forged statement could differ in a million places.
const MAX_FIELDS = 20;

/** JSON pointers to where two values of JSON data differ, at most 20; empty where they are equal; pure. */
export function differingFields(expected: unknown, found: unknown): readonly string[] {
  return pointersTo(expected, found, '').slice(0, MAX_FIELDS);
}

function pointersTo(expected: unknown, found: unknown, at: string): readonly string[] {
  if (isDeepStrictEqual(expected, found)) return [];
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found)) return [at];
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...keys].flatMap((key) =>
    pointersTo(expected[key], found[key], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
