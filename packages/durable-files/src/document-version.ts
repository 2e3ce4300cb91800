/** How the version that a document names stands to the one this code knows. */
export type VersionStanding =
  | { readonly kind: 'current' }
  | { readonly kind: 'newer' | 'older'; readonly version: string }
  | { readonly kind: 'unusable'; readonly message: string };

/**
 * Compares versions: integers joined by dots, part by part. A bare number, as old files have it, is understood, but
 * is never the current version: that one is a string, and must be the same text.
 */
export function standingOf(found: unknown, known: string): VersionStanding {
  if (found === known) return { kind: 'current' };
  if (found === undefined) return { kind: 'unusable', message: `the version is missing; "${known}" is known` };
  const version = typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  const parts = partsOf(version);
  if (parts === undefined) return { kind: 'unusable', message: `this is no version; "${known}" is known` };
  const order = compareParts(parts, partsOf(known) ?? []);
  if (order === 0) return { kind: 'unusable', message: `the version has to be written "${known}"` };
  return { kind: order > 0 ? 'newer' : 'older', version };
}

function partsOf(version: string): readonly number[] | undefined {
  return /^\d{1,9}(?:\.\d{1,9})*$/.test(version) ? version.split('.').map(Number) : undefined;
}

function compareParts(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
