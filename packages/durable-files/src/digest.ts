import { createHash, hash } from 'node:crypto';
import { DurableFileError } from './errors.ts';

declare const digestBrand: unique symbol;

/** `sha256:` and 64 lower-case hex digits. Made by `parseDigest` and the `digestOf…` functions only. */
export type Digest = string & { readonly [digestBrand]: true };

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Whether a value is the text of a digest. */
export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && digestPattern.test(value);
}

/**
 * Takes the text of a digest.
 *
 * @throws DurableFileError DIGEST_INVALID for everything else
 */
export function parseDigest(value: unknown): Digest {
  if (isDigest(value)) return value;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : `a value of type ${typeof value}`;
  throw new DurableFileError('DIGEST_INVALID', `${shown} is not a digest`, {
    hint: 'A digest is "sha256:" and 64 lower-case hex digits',
  });
}

/** SHA-256 over bytes, or over the UTF-8 bytes of a text. */
export function digestOfBytes(bytes: Uint8Array | string): Digest {
  return asDigest(hash('sha256', bytes, 'hex'));
}

/** A digest over bytes that come in pieces. */
export function startDigest(): { add(bytes: Uint8Array): void; end(): Digest } {
  const running = createHash('sha256');
  return { add: (bytes) => void running.update(bytes), end: () => asDigest(running.digest('hex')) };
}

function asDigest(hex: string): Digest {
  // The one place that makes the brand from a value which isn't checked: SHA-256 in hex is what the brand says.
  return `sha256:${hex}` as Digest;
}
