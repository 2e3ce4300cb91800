import { isAscii } from 'node:buffer';
import { standingOf } from './document-version.ts';
import { DurableFileError } from './errors.ts';
import type { JsonValue } from './json-value.ts';
import { type ReadOptions, readRegularFile } from './read-text.ts';

/** How a log is read. */
export interface ReadLogOptions extends ReadOptions {
  /** The newest version that the caller knows; a log of a newer one is refused. */
  readonly schemaVersion?: string;
  /** Where to begin, in bytes from the start; a size that the log had is always between two rows. Default 0. */
  readonly fromByte?: number;
}

/** What a log holds. */
export interface LogContent {
  /** In the order of appending; the header isn't among them. */
  readonly rows: readonly JsonValue[];
  /** Lines that aren't whole; `line` counts from 1 at `fromByte`. */
  readonly torn: readonly { readonly line: number; readonly bytes: number }[];
  /** What the header says; absent when there is none. */
  readonly schemaVersion?: string;
  /** The log's size when it was read: where a later read may begin. */
  readonly sizeBytes: number;
}

/** Logs grow without bound in long runs; this keeps a reader's memory below a few times as much. */
export const DEFAULT_MAX_LOG_BYTES = 512 * 1024 * 1024;

/**
 * Reads a log. A missing one is empty; what was cut short is listed and passed over, never fatal.
 *
 * @throws DurableFileError DOCUMENT_NEWER_VERSION (with `schemaVersion`), and as `readTextFile`; `maxBytes` is 512
 * MiB by default
 */
export async function readLog(path: string, options: ReadLogOptions = {}): Promise<LogContent> {
  const bytes = readRegularFile(path, { ...options, maxBytes: options.maxBytes ?? DEFAULT_MAX_LOG_BYTES });
  if (bytes === undefined) return { rows: [], torn: [], sizeBytes: 0 };
  const header = headerOf(bytes);
  if (header !== undefined) refuseNewerLog(path, header.schemaVersion, options.schemaVersion);
  const start = Math.max(options.fromByte ?? 0, header?.endsAt ?? 0);
  const version = header === undefined ? {} : { schemaVersion: header.schemaVersion };
  return { ...parseLines(bytes.subarray(start)), ...version, sizeBytes: bytes.byteLength };
}

const NEWLINE = 0x0a;

function headerOf(bytes: Buffer): { schemaVersion: string; endsAt: number } | undefined {
  const end = bytes.indexOf(NEWLINE);
  const value = end < 0 ? undefined : parseLine(bytes.subarray(0, end));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, ...others] = Object.entries(value);
  if (first?.[0] !== 'schemaVersion' || typeof first[1] !== 'string' || others.length > 0) return undefined;
  return { schemaVersion: first[1], endsAt: end + 1 };
}

function refuseNewerLog(path: string, found: string, known: string | undefined): void {
  if (known === undefined || standingOf(found, known).kind !== 'newer') return;
  throw new DurableFileError('DOCUMENT_NEWER_VERSION', `this log has version ${found}, and "${known}" is known`, {
    path,
    hint: 'Use the newer version of this software that wrote it',
  });
}

function parseLines(bytes: Buffer): { rows: JsonValue[]; torn: { line: number; bytes: number }[] } {
  const rows: JsonValue[] = [];
  const torn: { line: number; bytes: number }[] = [];
  // A character for each byte: lines are found in a string in a tenth of the time, and plain text needs no decoding.
  const text = bytes.toString('latin1');
  const isPlain = isAscii(bytes);
  for (let start = 0, line = 1; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const parse = (): JsonValue | undefined =>
      isPlain ? parseText(text.slice(start, end)) : parseLine(bytes.subarray(start, end));
    const value = end === start ? undefined : parse();
    if (value !== undefined) rows.push(value);
    else if (end > start) torn.push({ line, bytes: end - start });
    start = end + 1;
  }
  return { rows, torn };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseLine(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseText(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** A row, or undefined for what isn't one; a bare number is no row, since half of one looks like a whole one. */
function parseText(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // JSON.parse gives nothing but JSON data.
    return typeof value === 'object' && value !== null ? (value as JsonValue) : undefined;
  } catch {
    return undefined;
  }
}
