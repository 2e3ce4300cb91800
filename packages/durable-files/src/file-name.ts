import { hash } from 'node:crypto';
import { DurableFileError } from './errors.ts';

/** The longest encoded text that stands for itself; a longer one is cut here and told apart by a hash. */
const MAX_PLAIN_BYTES = 120;
/**
 * 128 bits: no two ids are found that share it, and the name leaves room for an ending and a staging name in 255
 * bytes.
 */
const HASH_DIGITS = 32;

// Device names of Windows: reserved there with any ending.
const reservedStem = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/;

/**
 * Makes an id into a file name that works on every platform: lower-case ASCII letters, digits, `-`, `.`, `_` as
 * they are, every other byte of its UTF-8 form as `%` and two lower-case hex digits, at most 120 bytes; what is
 * longer is cut there and ends in `-` and a hash. Two ids never share a name, not even where case is ignored or
 * Unicode is normalised. No name starts or ends with a dot or is reserved by Windows.
 *
 * @throws DurableFileError FILE_NAME_INVALID when the id is empty or holds half a surrogate pair
 */
export function encodeFileName(id: string): string {
  if (id === '' || !id.isWellFormed()) {
    throw new DurableFileError('FILE_NAME_INVALID', `${JSON.stringify(id)} can't be made into a file name`);
  }
  const encoded = escapeAtEnds(id.replace(OTHERS, encodeCharacter));
  if (encoded.length <= MAX_PLAIN_BYTES) return encoded;
  return `${encoded.slice(0, MAX_PLAIN_BYTES)}-${hash('sha256', id, 'hex').slice(0, HASH_DIGITS)}`;
}

/** Every character that doesn't stand for itself. */
const OTHERS = /[^a-z0-9._-]/gu;

function encodeCharacter(character: string): string {
  return Array.from(Buffer.from(character, 'utf8'), percent).join('');
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}

function escapeAtEnds(encoded: string): string {
  const startsBadly = encoded.startsWith('.') || reservedStem.test(encoded);
  const head = startsBadly ? percent(encoded.charCodeAt(0)) + encoded.slice(1) : encoded;
  return head.endsWith('.') ? `${head.slice(0, -1)}${percent(0x2e)}` : head;
}
