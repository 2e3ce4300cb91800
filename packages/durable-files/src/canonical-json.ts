import canonicalize from 'canonicalize';
import { type Digest, digestOfBytes } from './digest.ts';
import { DurableFileError } from './errors.ts';
import { findNonJson } from './json-value.ts';

/**
 * The canonical form of JSON data (RFC 8785): equal data, equal text, whatever the order of keys.
 *
 * @throws DurableFileError CANONICAL_JSON_INVALID for all that isn't JSON data: undefined (as a member too), NaN and
 * infinities, bigint, functions, symbols, class instances (a Date, a Map), cycles, halves of surrogate pairs. What
 * JSON.stringify would silently drop or rewrite would otherwise make two different values share a digest.
 */
export function canonicalJson(value: unknown): string {
  const found = findNonJson(value, { undefinedMembers: 'refused', loneSurrogates: 'refused' });
  const text = found === undefined ? canonicalize(value) : undefined;
  if (text !== undefined) return text;
  const issue = { path: found?.pointer ?? '', message: `${found?.what ?? 'the value'} is not JSON data` };
  throw new DurableFileError('CANONICAL_JSON_INVALID', 'a value has no canonical JSON', {
    issues: [issue],
    hint: 'Leave absent facts out and pass big numbers as strings',
  });
}

/**
 * The digest of a document: SHA-256 over the UTF-8 bytes of its canonical JSON.
 *
 * @throws DurableFileError CANONICAL_JSON_INVALID, as `canonicalJson`
 */
export function digestOfDocument(value: unknown): Digest {
  return digestOfBytes(canonicalJson(value));
}
