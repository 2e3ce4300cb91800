import type { DocumentCodec } from './define-document.ts';
import type { Digest } from './digest.ts';
import { type WriteOptions, writeBytes } from './write-text.ts';

/**
 * Writes a document: indented JSON with a trailing newline, atomically and durably as `writeTextFile`.
 *
 * @returns the digest of the file's bytes (not of the canonical JSON)
 * @throws DurableFileError DOCUMENT_INVALID when the value isn't valid (nothing is written), else as `writeTextFile`
 */
export async function writeDocument<T>(
  path: string,
  codec: DocumentCodec<T>,
  value: T,
  options: WriteOptions = {},
): Promise<Digest> {
  return writeBytes(path, Buffer.from(`${JSON.stringify(codec.encode(value), null, 2)}\n`, 'utf8'), options);
}
