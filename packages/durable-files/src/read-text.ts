import { closeSync, readSync } from 'node:fs';
import { DurableFileError } from './errors.ts';
import { type OpenedFile, type OpenRules, openRegularFile, tooLarge } from './open-regular.ts';
import { mapSystemError } from './system-errors.ts';

/** What a document or text may measure when the caller doesn't say: far above any of ours, far below what hurts. */
export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** How a file is read whole. */
export interface ReadOptions extends OpenRules {
  /** Default 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a whole text file, which must be UTF-8.
 *
 * @returns its text, or undefined when nothing is there
 * @throws DurableFileError NOT_A_REGULAR_FILE (a symlink too, unless `followLinks`), FILE_TOO_LARGE, FILE_NOT_UTF8,
 * PATH_ESCAPES (with `within`), LOCK_FILE_IN_USE, and what `mapSystemError` makes of the operating system's
 */
export async function readTextFile(path: string, options: ReadOptions = {}): Promise<string | undefined> {
  return withFileBytes(path, options, (bytes) => decodeUtf8(bytes, path));
}

/** As `readTextFile`, without decoding. */
export function readRegularFile(path: string, options: ReadOptions = {}): Buffer | undefined {
  return withFileBytes(path, options, (bytes) => (bytes.buffer === SMALL.buffer ? Buffer.from(bytes) : bytes));
}

/**
 * What `use` makes of a whole file's bytes, which are its own for that long only: small files, of which a command may read
 * thousands, are all read into the same memory, since a buffer for each would lie about until its garbage is collected.
 */
export function withFileBytes<T>(path: string, options: ReadOptions, use: (bytes: Buffer) => T): T | undefined {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const opened = openRegularFile(path, { ...options, maxBytes });
  if (opened === undefined) return undefined;
  return use(readAndClose(opened, path, maxBytes));
}

function readAndClose(opened: OpenedFile, path: string, maxBytes: number): Buffer {
  try {
    return readAll(opened, path, maxBytes);
  } catch (error) {
    throw mapSystemError(error, path, 'reading');
  } finally {
    closeSync(opened.descriptor);
  }
}

/** The text of UTF-8 bytes, a byte order mark included. */
export function decodeUtf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new DurableFileError('FILE_NOT_UTF8', 'the file is not UTF-8 text', { path, cause: error });
  }
}

function readAll({ descriptor, stats }: OpenedFile, path: string, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  // One byte more than expected, so that the end is seen; a file that grows meanwhile is read on.
  let chunk = stats.size < SMALL.length ? SMALL.subarray(0, stats.size + 1) : Buffer.allocUnsafe(stats.size + 1);
  for (let filled = 0; ; ) {
    const count = readSync(descriptor, chunk, filled, chunk.length - filled, null);
    filled += count;
    total += count;
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    if (count > 0 && filled < chunk.length) continue;
    chunks.push(chunk.subarray(0, filled));
    if (count === 0) return chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks, total);
    chunk = Buffer.allocUnsafe(GROWTH_BYTES);
    filled = 0;
  }
}

const GROWTH_BYTES = 64 * 1024;
/** Nothing waits between the reading of a file and the use of its bytes, so that no two need it at the same time. */
const SMALL = Buffer.allocUnsafeSlow(128 * 1024);
