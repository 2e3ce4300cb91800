import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type BytePath, forFileSystem } from '../path-name.ts';
import { systemCode } from './folder-reader.ts';
import { spendTurn, TurnOver } from './turn.ts';

/** A file's content by digest: ours, and git's blob ids in both formats where asked for. Hex, without prefix. */
interface ContentIds {
  readonly sha256: string;
  readonly gitBlob?: string;
}

/** What to compute. */
export interface ContentWish {
  readonly gitFormat?: 'sha1' | 'sha256';
}

/** The content of a regular file or link, or why it can't be known. */
export type ContentResult = ContentIds | { readonly reason: string };

const CHUNK_BYTES = 1024 * 1024;
let chunk: Buffer | undefined;

/**
 * Digests a regular file, opened without following a link and without waiting on a pipe. A file that changed while it was read
 * has no content that could be vouched for.
 */
export function contentOfFile(path: BytePath, wish: ContentWish = {}): ContentResult {
  let descriptor: number;
  try {
    descriptor = openSync(
      forFileSystem(path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch (error) {
    return { reason: `${systemCode(error)}: the file cannot be opened` };
  }
  try {
    return digestOpenFile(descriptor, wish);
  } catch (error) {
    if (error instanceof TurnOver) throw error;
    return { reason: `${systemCode(error)}: the file cannot be read` };
  } finally {
    closeSync(descriptor);
  }
}

/** Digests a link's target. */
export function contentOfLink(path: BytePath, wish: ContentWish = {}): ContentResult {
  try {
    const target = Buffer.from(readlinkSync(forFileSystem(path), 'latin1'), 'latin1');
    const hashes = new Hashes(target.length, wish);
    hashes.update(target);
    return hashes.finish();
  } catch (error) {
    return { reason: `${systemCode(error)}: the link cannot be read` };
  }
}

function digestOpenFile(descriptor: number, wish: ContentWish): ContentResult {
  const before = fstatSync(descriptor, { bigint: true });
  if (!before.isFile()) return { reason: 'it is no longer a regular file' };
  spendTurn(Number(before.size));
  chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const hashes = new Hashes(Number(before.size), wish);
  let read = 0;
  for (;;) {
    const got = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (got === 0) break;
    read += got;
    hashes.update(chunk.subarray(0, got));
  }
  const after = fstatSync(descriptor, { bigint: true });
  const isSteady = read === Number(before.size) && after.ctimeNs === before.ctimeNs && after.size === before.size;
  return isSteady ? hashes.finish() : { reason: 'it changed while it was read' };
}

/** SHA-256 of the content, and git's blob id (gitformat: `blob <size>\0` before it) beside it. */
class Hashes {
  readonly #sha256 = createHash('sha256');
  readonly #blob: ReturnType<typeof createHash> | undefined;

  constructor(bytes: number, wish: ContentWish) {
    if (wish.gitFormat === undefined) return;
    this.#blob = createHash(wish.gitFormat);
    this.#blob.update(`blob ${bytes}\0`);
  }

  update(bytes: Buffer): void {
    this.#sha256.update(bytes);
    this.#blob?.update(bytes);
  }

  finish(): ContentIds {
    const gitBlob = this.#blob?.digest('hex');
    return { sha256: this.#sha256.digest('hex'), ...(gitBlob === undefined ? {} : { gitBlob }) };
  }
}
