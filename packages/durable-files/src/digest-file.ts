import { createReadStream } from 'node:fs';
import { type Digest, startDigest } from './digest.ts';
import { DurableFileError } from './errors.ts';
import { type OpenRules, openRegularFile, tooLarge } from './open-regular.ts';
import { mapSystemError } from './system-errors.ts';

/** Few system calls for big files, and no more memory than this. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file's bytes, read in pieces.
 *
 * @param options.maxBytes refuse a longer file; default: no limit
 * @throws DurableFileError FILE_MISSING, FILE_TOO_LARGE, NOT_A_REGULAR_FILE (a symlink too, unless `followLinks`),
 * PATH_ESCAPES (with `within`), LOCK_FILE_IN_USE
 */
export async function digestOfFile(path: string, options: OpenRules & { maxBytes?: number } = {}): Promise<Digest> {
  const digest = startDigest();
  await readInPieces(path, options, (chunk) => digest.add(chunk));
  return digest.end();
}

/** Hands a regular file's bytes to `take`, piece by piece, each awaited. */
export async function readInPieces(
  path: string,
  options: OpenRules & { maxBytes?: number },
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  const opened = openRegularFile(path, { ...options, maxBytes });
  if (opened === undefined) throw new DurableFileError('FILE_MISSING', 'the file is not there', { path });
  let total = 0;
  try {
    // Owns the descriptor: leaving the loop, also by a throw, closes it.
    const pieces: AsyncIterable<Buffer> = createReadStream(path, {
      fd: opened.descriptor,
      start: 0,
      highWaterMark: CHUNK_BYTES,
    });
    for await (const chunk of pieces) {
      total += chunk.byteLength;
      // It has grown since it was opened.
      if (total > maxBytes) throw tooLarge(path, maxBytes);
      await take(chunk);
    }
  } catch (error) {
    throw mapSystemError(error, path, 'reading');
  }
}
