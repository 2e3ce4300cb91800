import type { Signature } from '../tree/signature.ts';
import { AT } from '../tree/stat-rows.ts';
import { IndexPaths } from './index-paths.ts';

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
  /** Path of each entry, in stored order. */
  readonly paths: IndexPaths;
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
  if (count > bytes.length / (STAT_BYTES + oidBytes)) throw new IndexUnreadable('more entries than bytes');
  const offsets = new Uint32Array(count);
  const { paths, end } = readEntries({ bytes, version, oidBytes, offsets });
  return {
    count,
    paths,
    isSplit: hasExtension(bytes, end, oidBytes),
    matches: (at, signature) => matchesAt(bytes, { offset: offsets[at] ?? 0, oidBytes }, signature),
    entry: (at) => entryAt({ bytes, oidBytes, version, offset: offsets[at] ?? 0 }, paths.at(at)),
    meaning: (at) => meaningOf(entryAt({ bytes, oidBytes, version, offset: offsets[at] ?? 0 }, '')),
  };
}

interface Reading {
  readonly bytes: Buffer;
  readonly version: number;
  readonly oidBytes: number;
  /** Filled with where each entry begins. */
  readonly offsets: Uint32Array;
}

const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const TYPE_MASK = 0o170000;

function readEntries(reading: Reading): { paths: IndexPaths; end: number } {
  return reading.version === 4 ? readSharedPaths(reading) : readWholePaths(reading);
}

/** Versions 2 and 3: each path lies there as a whole. */
function readWholePaths({ bytes, version, oidBytes, offsets }: Reading): { paths: IndexPaths; end: number } {
  const starts = new Uint32Array(offsets.length);
  const ends = new Uint32Array(offsets.length);
  let at = 12;
  for (let entry = 0; entry < offsets.length; entry += 1) {
    const pathAt = pathAfter(bytes, { at, version, oidBytes });
    const length = bytes.readUInt16BE(at + STAT_BYTES + oidBytes) & 0xfff;
    const end = length < 0xfff && bytes[pathAt + length] === 0 ? pathAt + length : endOfPath(bytes, pathAt);
    offsets[entry] = at;
    starts[entry] = pathAt;
    ends[entry] = end;
    // One to eight NULs, so that the entry's length is a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  return { paths: new IndexPaths(bytes, starts, ends), end: at };
}

/** Version 4: a path says how much of the one before it stays. */
function readSharedPaths({ bytes, version, oidBytes, offsets }: Reading): { paths: IndexPaths; end: number } {
  const texts: string[] = [];
  const starts = new Uint32Array(offsets.length);
  const ends = new Uint32Array(offsets.length);
  let at = 12;
  let textAt = 0;
  let path = '';
  for (let entry = 0; entry < offsets.length; entry += 1) {
    offsets[entry] = at;
    const { value, next } = readOffsetVarint(bytes, pathAfter(bytes, { at, version, oidBytes }));
    const end = endOfPath(bytes, next);
    path = path.slice(0, Math.max(0, path.length - value)) + bytes.toString('latin1', next, end);
    texts.push(path);
    starts[entry] = textAt;
    textAt += path.length;
    ends[entry] = textAt;
    at = end + 1;
  }
  return { paths: new IndexPaths(Buffer.from(texts.join(''), 'latin1'), starts, ends), end: at };
}

/** Where the path of the entry at `at` begins. */
function pathAfter(
  bytes: Buffer,
  { at, version, oidBytes }: { at: number; version: number; oidBytes: number },
): number {
  const flagsAt = at + STAT_BYTES + oidBytes;
  if (flagsAt + 2 > bytes.length) throw new IndexUnreadable('an entry is cut off');
  return flagsAt + (bytes.readUInt16BE(flagsAt) & EXTENDED && version >= 3 ? 4 : 2);
}

function endOfPath(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
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
