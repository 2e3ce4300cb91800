import type { BytePath } from '../path-name.ts';
import { joinBytes, type WalkProblem } from '../tree/folder-reader.ts';
import { readControlFile } from './control-file.ts';

/**
 * All refs of a reftable folder, HEAD among them, by meaning: the tables that `tables.list` names, a later one hiding an earlier
 * (gitformat-reftable(5), version 1 and 2, git 2.45). What does not read so becomes a problem.
 */
export function readReftable(folder: BytePath, onProblem: (problem: WalkProblem) => void): Map<string, string> {
  const refs = new Map<string, string>();
  const list = readControlFile(joinBytes(folder, 'tables.list'));
  if (list.kind === 'problem') onProblem(list.problem);
  if (list.kind !== 'bytes') return refs;
  for (const name of list.bytes.toString('latin1').split('\n')) {
    if (name === '') continue;
    const path = joinBytes(folder, name);
    const table = name.includes('/') ? undefined : readControlFile(path);
    try {
      if (table?.kind !== 'bytes') throw new RangeError('the table cannot be read');
      applyTable(table.bytes, refs);
    } catch (error) {
      onProblem({ path, reason: `not a readable reftable: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return refs;
}

/** Block header: type and 24-bit length. The first block counts its length from the file's start. */
function applyTable(bytes: Buffer, refs: Map<string, string>): void {
  if (bytes.toString('latin1', 0, 4) !== 'REFT') throw new RangeError('no reftable header');
  const version = bytes.readUInt8(4);
  if (version !== 1 && version !== 2) throw new RangeError(`reftable version ${version}`);
  const headerBytes = version === 1 ? 24 : 28;
  const oidBytes = version === 2 && bytes.toString('latin1', 24, 28) === 's256' ? 32 : 20;
  const blockBytes = bytes.readUIntBE(5, 3);
  const refsEnd = bytes.length - (version === 1 ? 68 : 72);
  let start = 0;
  while (start < refsEnd) {
    const blockAt = start === 0 ? headerBytes : start;
    if (bytes[blockAt] !== 0x72) return;
    const length = bytes.readUIntBE(blockAt + 1, 3);
    applyRefBlock({ bytes, from: blockAt + 4, end: start + length, oidBytes }, refs);
    start = nextBlock(bytes, start + length, start + blockBytes, blockBytes);
  }
}

/** Blocks are padded to the block size, except where the writer left padding out. */
function nextBlock(bytes: Buffer, unpadded: number, padded: number, blockBytes: number): number {
  const isPadded = blockBytes > 0 && unpadded < padded && bytes[unpadded] === 0;
  return isPadded ? padded : unpadded;
}

interface RefBlock {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
  readonly oidBytes: number;
}

function applyRefBlock({ bytes, from, end, oidBytes }: RefBlock, refs: Map<string, string>): void {
  const recordsEnd = end - 2 - 3 * bytes.readUInt16BE(end - 2);
  const cursor = { at: from };
  let name = '';
  while (cursor.at < recordsEnd) {
    const shared = readVarint(bytes, cursor);
    const suffix = readVarint(bytes, cursor);
    name = name.slice(0, shared) + bytes.toString('latin1', cursor.at, cursor.at + (suffix >> 3));
    cursor.at += suffix >> 3;
    readVarint(bytes, cursor);
    const value = readRefValue(bytes, cursor, { type: suffix & 7, oidBytes });
    if (value === null) refs.delete(name);
    else refs.set(name, value);
  }
}

function readRefValue(bytes: Buffer, cursor: { at: number }, o: { type: number; oidBytes: number }): string | null {
  if (o.type === 0) return null;
  const start = cursor.at;
  if (o.type === 1 || o.type === 2) {
    cursor.at += o.oidBytes * o.type;
    return bytes.toString('hex', start, start + o.oidBytes);
  }
  if (o.type !== 3) throw new RangeError(`ref record type ${o.type}`);
  const length = readVarint(bytes, cursor);
  const target = bytes.toString('latin1', cursor.at, cursor.at + length);
  cursor.at += length;
  return `ref: ${target}`;
}

function readVarint(bytes: Buffer, cursor: { at: number }): number {
  let byte = bytes.readUInt8(cursor.at);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    cursor.at += 1;
    byte = bytes.readUInt8(cursor.at);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  cursor.at += 1;
  return value;
}
