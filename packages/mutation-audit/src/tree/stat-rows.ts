import type { BigIntStats } from 'node:fs';
import type { FileType } from '../model.ts';
import type { KeptMemory } from './kept-memory.ts';

/** The columns of an entry's signature, in stored order (wire-formats "Snapshot"). */
export const STAT_FIELDS = ['dev', 'ino', 'mode', 'nlink', 'size', 'mtimeNs', 'ctimeNs', 'uid', 'gid'] as const;
export const STAT_WIDTH = STAT_FIELDS.length;

/** Position of each column in a row. */
export const AT = { dev: 0, ino: 1, mode: 2, nlink: 3, size: 4, mtimeNs: 5, ctimeNs: 6, uid: 7, gid: 8 } as const;

/** Signatures row by row, STAT_WIDTH cells of two words each, CHUNK_ROWS rows in each chunk. */
export interface StatChunks {
  readonly chunks: readonly Uint32Array[];
  readonly count: number;
}

export const CHUNK_ROWS = 1024;
const CHUNK_CELLS = CHUNK_ROWS * STAT_WIDTH;

/** Takes signatures in, one after another. An entry that could not be looked at is a row of -1. */
export class StatRows {
  readonly #memory: KeptMemory;
  readonly #chunks: Uint32Array[] = [];
  #chunk: BigInt64Array = new BigInt64Array(0);
  #at = 0;
  #count = 0;

  constructor(memory: KeptMemory) {
    this.#memory = memory;
  }

  push(stat: BigIntStats | undefined): void {
    if (this.#at === this.#chunk.length) this.#addChunk();
    if (stat === undefined) this.#chunk.fill(-1n, this.#at, this.#at + STAT_WIDTH);
    else writeRow(this.#chunk, this.#at, stat);
    this.#at += STAT_WIDTH;
    this.#count += 1;
  }

  pushCells(cells: BigInt64Array): void {
    this.push(undefined);
    this.#chunk.set(cells, this.#at - STAT_WIDTH);
  }

  /** What was pushed; it stays where it is. */
  take(): StatChunks {
    return { chunks: this.#chunks, count: this.#count };
  }

  #addChunk(): void {
    this.#chunk = new BigInt64Array(this.#memory.take(CHUNK_CELLS * 8), 0, CHUNK_CELLS);
    this.#chunks.push(new Uint32Array(this.#chunk.buffer, 0, CHUNK_CELLS * 2));
    this.#at = 0;
  }
}

/** Writes one signature into `cells` from `at` on. */
export function writeRow(cells: BigInt64Array, at: number, stat: BigIntStats): void {
  cells[at] = stat.dev;
  cells[at + 1] = stat.ino;
  cells[at + 2] = stat.mode;
  cells[at + 3] = stat.nlink;
  cells[at + 4] = stat.size;
  cells[at + 5] = stat.mtimeNs;
  cells[at + 6] = stat.ctimeNs;
  cells[at + 7] = stat.uid;
  cells[at + 8] = stat.gid;
}

const TYPE_MASK = 0o170000;
const FILE_TYPES: ReadonlyMap<number, FileType> = new Map([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'symlink'],
  [0o010000, 'fifo'],
  [0o140000, 'socket'],
]);

/** The kind of file that a mode says. */
export function fileTypeOf(mode: bigint): FileType {
  return FILE_TYPES.get(Number(mode) & TYPE_MASK) ?? 'device';
}

/** Whether a mode says folder; -1 (not looked at) does not. */
export function isFolderMode(mode: bigint): boolean {
  return mode >= 0n && (Number(mode) & TYPE_MASK) === 0o040000;
}

/** The same of the low 32 bits of a row that was looked at. */
export function isFolderType(mode: number): boolean {
  return (mode & TYPE_MASK) === 0o040000;
}
