import { AT, type Signature } from '../tree/stat-rows.ts';

/** One entry of git's index. `flags` holds letters: `a` assume-unchanged, `s` skip-worktree, `n` intent to add. */
export interface IndexEntry {
  readonly path: string;
  readonly mode: number;
  readonly oid: string;
  readonly stage: number;
  readonly flags: string;
}

/** A parsed index: entries are read on demand from the bytes. */
export interface GitIndex {
  readonly count: number;
  /** Path of each entry, one character per byte, in stored order. */
  readonly paths: readonly string[];
  entry(at: number): IndexEntry;
  /** Whether git noted this very signature for the entry's content; never for one side of a conflict. */
  matches(at: number, signature: Signature): boolean;
  /** What the entry means, comparable as text: mode, oid, stage, flags (no stat data). */
  meaning(at: number): string;
  /** True where part of the entries lives in a shared index, so that they are not all here. */
  readonly isSplit: boolean;
}

/** The index does not read as gitformat-index(5) says. */
export class IndexUnreadable extends Error {}

/**
 * Reads an index file of version 2, 3 or 4 (gitformat-index(5), git 2.39; SHA-1 and SHA-256) from its bytes.
 * Throws `IndexUnreadable`.
 */
export function parseIndex(bytes: Buffer, oidBytes: 20 | 32): GitIndex {
  if (bytes.length < 12 + oidBytes || bytes.toString('latin1', 0, 4) !== 'DIRC')
    throw new IndexUnreadable('no index header');
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new IndexUnreadable(`index version ${version}`);
  const count = bytes.readUInt32BE(8);
  const offsets = new Uint32Array(Math.min(count, bytes.length / (STAT_BYTES + oidBytes)));
  if (offsets.length < count) throw new IndexUnreadable('more entries than bytes');
  const paths: string[] = new Array(count);
  const end = readEntries({ bytes, text: bytes.toString('latin1'), version, oidBytes, offsets, paths });
  return {
    count,
    paths,
    isSplit: hasExtension(bytes, end, oidBytes),
    matches: (at, signature) => matchesAt(bytes, { offset: offsets[at] ?? 0, oidBytes }, signature),
    entry: (at) => entryAt({ bytes, oidBytes, version, offset: offsets[at] ?? 0 }, paths[at] ?? ''),
    meaning: (at) => meaningOf(entryAt({ bytes, oidBytes, version, offset: offsets[at] ?? 0 }, '')),
  };
}

interface Reading {
  readonly bytes: Buffer;
  /** The same bytes, one character each: slices of it cost no copy. */
  readonly text: string;
  readonly version: number;
  readonly oidBytes: number;
  readonly offsets: Uint32Array;
  readonly paths: string[];
}

const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const TYPE_MASK = 0o170000;

function readEntries({ bytes, text, version, oidBytes, offsets, paths }: Reading): number {
  let at = 12;
  let previous = '';
  for (let entry = 0; entry < offsets.length; entry += 1) {
    const flagsAt = at + STAT_BYTES + oidBytes;
    if (flagsAt + 2 > bytes.length) throw new IndexUnreadable('an entry is cut off');
    offsets[entry] = at;
    const pathAt = flagsAt + (bytes.readUInt16BE(flagsAt) & EXTENDED && version >= 3 ? 4 : 2);
    if (version === 4) {
      const { value, next } = readOffsetVarint(bytes, pathAt);
      const end = endOfPath(text, next);
      previous = previous.slice(0, Math.max(0, previous.length - value)) + text.slice(next, end);
      at = end + 1;
    } else {
      const length = bytes.readUInt16BE(flagsAt) & 0xfff;
      const end = length < 0xfff && bytes[pathAt + length] === 0 ? pathAt + length : endOfPath(text, pathAt);
      previous = text.slice(pathAt, end);
      // One to eight NULs, so that the entry's length is a multiple of eight.
      at += (end - at + 8) & ~7;
    }
    paths[entry] = previous;
  }
  return at;
}

function endOfPath(text: string, from: number): number {
  const end = text.indexOf('\0', from);
  if (end < 0) throw new IndexUnreadable('a path has no end');
  return end;
}

function readOffsetVarint(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at + 1 };
}

function hasExtension(bytes: Buffer, from: number, oidBytes: number): boolean {
  let at = from;
  while (at + 8 <= bytes.length - oidBytes) {
    if (bytes.toString('latin1', at, at + 4) === 'link') return true;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return false;
}

function entryAt(
  { bytes, oidBytes, version, offset }: { bytes: Buffer; oidBytes: number; version: number; offset: number },
  path: string,
): IndexEntry {
  const flagsAt = offset + STAT_BYTES + oidBytes;
  const flags = bytes.readUInt16BE(flagsAt);
  const extended = flags & EXTENDED && version >= 3 ? bytes.readUInt16BE(flagsAt + 2) : 0;
  return {
    path,
    mode: bytes.readUInt32BE(offset + 24),
    oid: bytes.toString('hex', offset + STAT_BYTES, flagsAt),
    stage: (flags >> 12) & 3,
    flags: `${flags & 0x8000 ? 'a' : ''}${extended & 0x4000 ? 's' : ''}${extended & 0x2000 ? 'n' : ''}`,
  };
}

/** Git keeps the low 32 bits of inode and size, and times as seconds and nanoseconds. */
function matchesAt(bytes: Buffer, { offset, oidBytes }: { offset: number; oidBytes: number }, now: Signature): boolean {
  const stage = (bytes.readUInt16BE(offset + STAT_BYTES + oidBytes) >> 12) & 3;
  return (
    stage === 0 &&
    bytes.readUInt32BE(offset + 20) === now.low(AT.ino) &&
    bytes.readUInt32BE(offset + 36) === now.low(AT.size) &&
    isTime(now, AT.mtimeNs, bytes.readUInt32BE(offset + 8), bytes.readUInt32BE(offset + 12)) &&
    isTime(now, AT.ctimeNs, bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4)) &&
    (bytes.readUInt32BE(offset + 24) & TYPE_MASK) === (now.low(AT.mode) & TYPE_MASK)
  );
}

/** Equal modulo 2^32 and within a second of each other: equal. Done in doubles, since a bigint per file costs more than the rest. */
function isTime(now: Signature, column: number, seconds: number, nanos: number): boolean {
  if ((Math.imul(seconds, 1_000_000_000) + nanos) >>> 0 !== now.low(column)) return false;
  return Math.abs(now.about(column) - (seconds * 1_000_000_000 + nanos)) < 1_000_000_000;
}

function meaningOf(entry: IndexEntry): string {
  return `${entry.mode.toString(8)} ${entry.oid}${entry.stage === 0 ? '' : ` stage ${entry.stage}`}${entry.flags === '' ? '' : ` ${entry.flags}`}`;
}
