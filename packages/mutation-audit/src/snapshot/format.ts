import { createHash, timingSafeEqual } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MutationAuditError } from '../errors.ts';
import type { KeptMemory } from '../tree/kept-memory.ts';
import { DIGEST_BYTES, type SnapshotData, type SnapshotHeader } from './snapshot-data.ts';

/**
 * The snapshot's file: magic, version (u32), then sections of `kind (u32) · raw bytes (f64) · stored bytes (f64) · bytes`, zstd unless marked plain,
 * all numbers little-endian, and at the end the SHA-256 of everything before it.
 */
const MAGIC = Buffer.from('BWSNAP\r\n', 'latin1');
const SNAPSHOT_VERSION = 1;

const KIND = {
  header: 1,
  folders: 2,
  columns: 9,
  digestRows: 4,
  digestFlags: 5,
  digestBytes: 6,
  blob: 7,
} as const;
const SECTION_HEAD_BYTES = 20;
/** Set in the kind of a section that isn't compressed. */
const PLAIN = 0x100;
/** Level 1: names shrink by an order of magnitude at about the speed of a copy. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The file's bytes, in pieces. */
export function encodeSnapshot(data: SnapshotData): { pieces: readonly Buffer[]; digestHex: string } {
  const pieces: Buffer[] = [preamble()];
  // First, where numbers begin at a multiple of their size.
  addPlainSection(pieces, KIND.columns, bytesOf(data.columns));
  addSection(pieces, KIND.header, Buffer.from(JSON.stringify(data.header), 'utf8'));
  addSection(pieces, KIND.folders, data.folders);
  addSection(pieces, KIND.digestRows, bytesOf(data.digests.rows));
  addSection(pieces, KIND.digestFlags, bytesOf(data.digests.isYoung));
  addSection(pieces, KIND.digestBytes, data.digests.bytes);
  for (const blob of data.blobs) addPlainSection(pieces, KIND.blob, blob());
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  const seal = hash.copy().digest();
  pieces.push(seal);
  return { pieces, digestHex: hash.update(seal).digest('hex') };
}

/**
 * Reads a snapshot's bytes, into memory that other threads see. Throws SNAPSHOT_DAMAGED or SNAPSHOT_NEWER_VERSION; `path` is for the
 * message.
 */
export function decodeSnapshot(file: Buffer, path: string, memory: KeptMemory): SnapshotData {
  checkPreamble(file, path);
  const body = file.subarray(0, file.length - DIGEST_BYTES);
  const seal = createHash('sha256').update(body).digest();
  if (!timingSafeEqual(seal, file.subarray(body.length))) throw damaged(path, 'its digest does not match its bytes');
  try {
    return assemble(readSections(body), memory);
  } catch (cause) {
    throw damaged(path, 'its sections do not read', cause);
  }
}

function preamble(): Buffer {
  const bytes = Buffer.alloc(MAGIC.length + 4);
  MAGIC.copy(bytes);
  bytes.writeUInt32LE(SNAPSHOT_VERSION, MAGIC.length);
  return bytes;
}

function checkPreamble(file: Buffer, path: string): void {
  if (file.length < MAGIC.length + 4 + DIGEST_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw damaged(path, 'it does not begin like a snapshot, or it is cut off');
  }
  const version = file.readUInt32LE(MAGIC.length);
  if (version > SNAPSHOT_VERSION) {
    throw new MutationAuditError(
      'SNAPSHOT_NEWER_VERSION',
      `The snapshot ${path} has version ${version}; this version reads up to ${SNAPSHOT_VERSION}.`,
      { path, hint: 'Settle this attempt with the version that took the snapshot.' },
    );
  }
}

function damaged(path: string, what: string, cause?: unknown): MutationAuditError {
  return new MutationAuditError('SNAPSHOT_DAMAGED', `The snapshot ${path} is damaged: ${what}.`, {
    path,
    hint: 'The attempts it is the baseline of can only end as unverifiable.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function addSection(pieces: Buffer[], kind: number, raw: Buffer): void {
  const stored = zstdCompressSync(raw, { ...COMPRESSION, chunkSize: Math.max(64, raw.length) });
  pieces.push(sectionHead(kind, raw.length, stored.length), stored);
}

/** Columns are packed already, and an index is mostly object ids, which nothing makes smaller: both are kept as they are. */
function addPlainSection(pieces: Buffer[], kind: number, raw: Buffer): void {
  pieces.push(sectionHead(kind | PLAIN, raw.length, raw.length), raw);
}

function sectionHead(kind: number, rawBytes: number, storedBytes: number): Buffer {
  const head = Buffer.alloc(SECTION_HEAD_BYTES);
  head.writeUInt32LE(kind, 0);
  head.writeDoubleLE(rawBytes, 4);
  head.writeDoubleLE(storedBytes, 12);
  return head;
}

type Section = () => Buffer;

/** The sections by kind, each still packed. */
function readSections(body: Buffer): ReadonlyMap<number, readonly Section[]> {
  const sections = new Map<number, Section[]>();
  let at = MAGIC.length + 4;
  while (at < body.length) {
    const marked = body.readUInt32LE(at);
    const kind = marked & ~PLAIN;
    const rawBytes = body.readDoubleLE(at + 4);
    const end = at + SECTION_HEAD_BYTES + body.readDoubleLE(at + 12);
    if (end > body.length) throw new RangeError(`section ${kind} is cut off`);
    const stored = body.subarray(at + SECTION_HEAD_BYTES, end);
    sections.set(kind, [
      ...(sections.get(kind) ?? []),
      marked === kind ? () => unpack(stored, rawBytes) : () => stored,
    ]);
    at = end;
  }
  return sections;
}

function unpack(stored: Buffer, rawBytes: number): Buffer {
  // One piece as large as the whole: else the pieces are put together once more.
  const raw = zstdDecompressSync(stored, { maxOutputLength: Math.max(1, rawBytes), chunkSize: Math.max(64, rawBytes) });
  if (raw.length !== rawBytes) throw new RangeError('a section has another size than it says');
  return raw;
}

function assemble(sections: ReadonlyMap<number, readonly Section[]>, memory: KeptMemory): SnapshotData {
  const only = (kind: number): Buffer => {
    const [section, ...more] = sections.get(kind) ?? [];
    if (section === undefined || more.length > 0) throw new RangeError(`section ${kind} is missing or doubled`);
    return section();
  };
  // The digest has vouched for the bytes: they are what encodeSnapshot wrote from a SnapshotHeader.
  const header = JSON.parse(only(KIND.header).toString('utf8')) as SnapshotHeader;
  return {
    header,
    folders: shared(only(KIND.folders), memory),
    columns: inPlace(only(KIND.columns), memory),
    digests: {
      rows: new Uint32Array(aligned(only(KIND.digestRows))),
      isYoung: only(KIND.digestFlags),
      bytes: only(KIND.digestBytes),
    },
    blobs: sections.get(KIND.blob) ?? [],
  };
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

/** Memory that begins at its own start, as typed arrays need. */
function aligned(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** As it lies in the file, unless other sections before it have pushed it off its place. */
function inPlace(bytes: Buffer, memory: KeptMemory): Buffer {
  return bytes.byteOffset % 8 === 0 && bytes.buffer instanceof SharedArrayBuffer ? bytes : shared(bytes, memory);
}

function shared(bytes: Buffer, memory: KeptMemory): Buffer {
  const copy = Buffer.from(memory.take(bytes.length), 0, bytes.length);
  bytes.copy(copy);
  return copy;
}
