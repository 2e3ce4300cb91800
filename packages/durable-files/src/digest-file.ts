import { closeSync } from 'node:fs';
import { type Digest, startDigest } from './digest.ts';
import type { OpenRules } from './open-regular.ts';
import { eachPiece, openSource } from './pieces.ts';

/**
 * The SHA-256 of a file's bytes, read in pieces.
 *
 * @param options.maxBytes refuse a longer file; default: no limit
 * @throws DurableFileError FILE_MISSING, FILE_TOO_LARGE, NOT_A_REGULAR_FILE (a symlink too, unless `followLinks`),
 * PATH_ESCAPES (with `within`), LOCK_FILE_IN_USE
 */
export async function digestOfFile(path: string, options: OpenRules & { maxBytes?: number } = {}): Promise<Digest> {
  const source = openSource(path, options);
  try {
    const digest = startDigest();
    await eachPiece(source, (piece) => digest.add(piece));
    return digest.end();
  } finally {
    closeSync(source.descriptor);
  }
}
