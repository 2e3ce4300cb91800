import { read, write } from 'node:fs';
import { promisify } from 'node:util';
import { DurableFileError } from './errors.ts';
import { type OpenedFile, type OpenRules, openRegularFile, tooLarge } from './open-regular.ts';
import { mapSystemError } from './system-errors.ts';

/** Few system calls for big files, and no more memory than this. */
const CHUNK_BYTES = 1024 * 1024;
/** For a file that begins to grow after it was opened. */
const LEAST_BYTES = 4096;

const readInto = promisify(read);
const writeFrom = promisify(write);

/** A regular file that is open for reading; who opened it closes it. */
export interface Source extends OpenedFile {
  readonly path: string;
  readonly maxBytes: number;
}

/**
 * Opens a regular file that must be there.
 *
 * @throws DurableFileError FILE_MISSING, and what `openRegularFile` throws
 */
export function openSource(path: string, rules: OpenRules & { maxBytes?: number }): Source {
  const maxBytes = rules.maxBytes ?? Number.POSITIVE_INFINITY;
  const opened = openRegularFile(path, { ...rules, maxBytes });
  if (opened === undefined) throw new DurableFileError('FILE_MISSING', 'the file is not there', { path });
  return { ...opened, path, maxBytes };
}

/** Hands a file's bytes to `take`, piece by piece, each awaited; a piece is good until then, its memory is used again. */
export async function eachPiece(source: Source, take: (piece: Buffer) => Promise<void> | void): Promise<void> {
  const { stats, path, maxBytes } = source;
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, stats.size + 1)));
  for (let total = 0; ; ) {
    const count = await readPiece(source, chunk);
    if (count === 0) return;
    total += count;
    // It has grown since it was opened.
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    await take(chunk.subarray(0, count));
  }
}

/** Writes all of a piece to an open file; after a short write the next one says why. */
export async function writePiece(descriptor: number, piece: Buffer): Promise<void> {
  for (let done = 0; done < piece.byteLength; )
    done += (await writeFrom(descriptor, piece, done, piece.byteLength - done)).bytesWritten;
}

/** In another thread: whoever reads thousands of files, one after another, still answers others in between. */
async function readPiece({ descriptor, path }: Source, chunk: Buffer): Promise<number> {
  try {
    return (await readInto(descriptor, chunk, 0, chunk.length, null)).bytesRead;
  } catch (error) {
    throw mapSystemError(error, path, 'reading');
  }
}
