import { lstatSync } from 'node:fs';
import type { DocumentCodec } from './define-document.ts';
import { digestOfBytes } from './digest.ts';
import { DurableFileError, isDurableFileError } from './errors.ts';
import { decodeUtf8, type ReadOptions, withFileBytes } from './read-text.ts';
import { writeBytes } from './write-text.ts';

/** How a document is read. */
export interface ReadDocumentOptions extends ReadOptions {
  /** Whether the bytes of a damaged file are copied aside. False for a file that a person edits. Default true. */
  readonly keepDamaged?: boolean;
}

/**
 * Reads a document. A file that isn't the document it should be stays where it is; a copy of its bytes is kept at
 * `<path>.damaged-<first 8 digits of their SHA-256>`, which the error's `keptAt` names (absent when it couldn't be
 * kept).
 *
 * @returns undefined when nothing is there
 * @throws DurableFileError DOCUMENT_DAMAGED (not JSON, or not valid: `issues`), FILE_NOT_UTF8,
 * DOCUMENT_NEWER_VERSION, and as `readTextFile`; an error that a codec of another package throws passes through
 */
export async function readDocument<T>(
  path: string,
  codec: DocumentCodec<T>,
  options: ReadDocumentOptions = {},
): Promise<T | undefined> {
  const read = withFileBytes(path, options, (bytes) => decodeBytes(bytes, path, codec));
  if (read === undefined || 'value' in read) return read?.value;
  const keptAt = options.keepDamaged === false ? undefined : await keepAside(path, read.bytes);
  throw damaged(read.error, path, keptAt);
}

/** The document, or what is wrong with it and a copy of its bytes; any other error is thrown. */
function decodeBytes<T>(
  bytes: Buffer,
  path: string,
  codec: DocumentCodec<T>,
): { readonly value: T } | { readonly error: DurableFileError; readonly bytes: Buffer } {
  try {
    return { value: codec.decode(parseJson(decodeUtf8(bytes, path), path, codec.name), path) };
  } catch (error) {
    if (!isDurableFileError(error) || !meansDamage.has(error.code)) throw error;
    return { error, bytes: Buffer.from(bytes) };
  }
}

/**
 * As `readDocument`, for a document that has to be there.
 *
 * @throws DurableFileError DOCUMENT_MISSING
 */
export async function requireDocument<T>(
  path: string,
  codec: DocumentCodec<T>,
  options: ReadDocumentOptions = {},
): Promise<T> {
  const value = await readDocument(path, codec, options);
  if (value !== undefined) return value;
  throw new DurableFileError('DOCUMENT_MISSING', `the ${codec.name} is not there`, { path });
}

const meansDamage: ReadonlySet<string> = new Set(['DOCUMENT_INVALID', 'FILE_NOT_UTF8']);

function parseJson(text: string, path: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new DurableFileError('DOCUMENT_INVALID', `this ${name} is not JSON`, {
      path,
      issues: [{ path: '', message }],
      cause: error,
    });
  }
}

function damaged(error: DurableFileError, path: string, keptAt: string | undefined): DurableFileError {
  const code = error.code === 'FILE_NOT_UTF8' ? error.code : 'DOCUMENT_DAMAGED';
  const hint = keptAt === undefined ? 'Correct the file' : `Inspect it; a copy of its bytes is kept at ${keptAt}`;
  const what = code === 'FILE_NOT_UTF8' ? 'the file is not UTF-8 text' : 'the document is damaged';
  const kept = keptAt === undefined ? {} : { keptAt };
  const issues = error.issues === undefined ? {} : { issues: error.issues };
  return new DurableFileError(code, what, { path, hint, cause: error, ...issues, ...kept });
}

// That the copy can't be made (a read-only folder, a full disk) must not hide what is wrong with the document.
async function keepAside(path: string, bytes: Buffer): Promise<string | undefined> {
  const digits = digestOfBytes(bytes).slice('sha256:'.length, 'sha256:'.length + 8);
  const keptAt = `${path}.damaged-${digits}`;
  if (lstatSync(keptAt, { throwIfNoEntry: false })?.isFile()) return keptAt;
  try {
    await writeBytes(keptAt, bytes, { exclusive: true });
    return keptAt;
  } catch (error) {
    return isDurableFileError(error) && error.code === 'FILE_EXISTS' ? keptAt : undefined;
  }
}
