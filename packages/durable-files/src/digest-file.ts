import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { type Digest, startDigest } from './digest.ts';
import { DurableFileError } from './errors.ts';
import { type OpenRules, openRegularFile, tooLarge } from './open-regular.ts';
import { mapSystemError } from './system-errors.ts';

/** Few system calls for big files, and no more memory than this. */
const CHUNK_BYTES = 1024 * 1024;
/** For a file that begins to grow after it was opened. */
const LEAST_BYTES = 4096;

const readInto = promisify(read);

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

/** Hands a regular file's bytes to `take`, piece by piece, each awaited; a piece is good until then, its memory is used again. */
export async function readInPieces(
  path: string,
  options: OpenRules & { maxBytes?: number },
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  const opened = openRegularFile(path, { ...options, maxBytes });
  if (opened === undefined) throw new DurableFileError('FILE_MISSING', 'the file is not there', { path });
  const { descriptor, stats } = opened;
  let total = 0;
  try {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, stats.size + 1)));
    for (;;) {
      const { bytesRead } = await readInto(descriptor, chunk, 0, chunk.length, null);
      if (bytesRead === 0) return;
      total += bytesRead;
      // It has grown since it was opened.
      if (total > maxBytes) throw tooLarge(path, maxBytes);
      await take(chunk.subarray(0, bytesRead));
    }
  } catch (error) {
    throw mapSystemError(error, path, 'reading');
  } finally {
    closeSync(descriptor);
  }
}
