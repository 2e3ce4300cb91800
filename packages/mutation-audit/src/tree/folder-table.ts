import type { BytePath } from '../path-name.ts';
import { joinBytes } from './folder-reader.ts';
import { eachPlace, type FolderText, namesAt, pathAt } from './folder-text.ts';
import type { KeptMemory } from './kept-memory.ts';
import { packRows, type RowRange } from './pack-rows.ts';
import { type PackedColumns, Signature } from './signature.ts';
import { AT, isFolderType } from './stat-rows.ts';
import { SLICE_FIELDS, type WalkPart } from './walk.ts';

/** All entries of a walk in one order, whatever thread found them. */
export interface FolderTable {
  readonly text: FolderText;
  readonly columns: PackedColumns;
}

interface Slice extends RowRange {
  readonly key: string;
  readonly folder: BytePath;
  /** The names, as bytes. */
  readonly names: Buffer;
}

/** Merges the threads' parts, sorted component by component, rows packed into columns; `pause` is waited for between the steps. */
export async function mergeParts(
  parts: readonly WalkPart[],
  memory: KeptMemory,
  pause: () => Promise<void>,
): Promise<FolderTable> {
  const slices = parts.flatMap(slicesOf).sort(bySliceOrder);
  await pause();
  const text = textOf(slices, memory);
  await pause();
  const columns = packRows(slices, memory);
  await pause();
  return { text, columns };
}

function textOf(slices: readonly Slice[], memory: KeptMemory): FolderText {
  const most = slices.reduce((sum, { folder, names }) => sum + folder.length + names.length + 2, 0);
  const text = Buffer.from(memory.take(most), 0, most);
  let at = 0;
  let previous: string | undefined;
  for (const { folder, names, count } of slices) {
    if (folder === previous && count > 0) at += text.write('/', at, 'latin1');
    else {
      if (previous !== undefined) at += text.write('\0', at, 'latin1');
      at += text.write(`${folder}\0`, at, 'latin1');
    }
    at += names.copy(text, at);
    previous = folder;
  }
  return text.subarray(0, at);
}

function slicesOf(part: WalkPart): Slice[] {
  const text = Buffer.from(part.text.buffer, part.text.byteOffset, part.text.length);
  const slices: Slice[] = [];
  let [at, start] = [0, 0];
  for (let next = 0; next < part.slices.length; next += SLICE_FIELDS) {
    const [pathBytes = 0, namesBytes = 0, count = 0] = part.slices.subarray(next, next + SLICE_FIELDS);
    const folder = text.toString('latin1', at, at + pathBytes);
    const names = text.subarray(at + pathBytes, at + pathBytes + namesBytes);
    slices.push({ key: folder.replaceAll('/', '\0'), folder, names, rows: part.rows, start, count });
    at += pathBytes + namesBytes;
    start += count;
  }
  return slices;
}

function bySliceOrder(a: Slice, b: Slice): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return Buffer.compare(a.names, b.names);
}

/** Where a table's folders are. */
export interface FolderIndex {
  /** Where each folder begins in the text. */
  readonly textStarts: Uint32Array;
  /** The row at which each folder's names begin. */
  readonly starts: Uint32Array;
  /** The row of each folder itself: -1 - n for the n-th root. */
  readonly selfRows: Int32Array;
}

/** Finds the folders of a table in its text and its rows. */
export function indexFolders(table: FolderTable, roots: readonly BytePath[]): FolderIndex {
  const [textStarts, starts, selfRows]: [number[], number[], number[]] = [[], [], []];
  const rowOf = new Map<BytePath, number>(roots.map((root, at) => [root, -1 - at]));
  const signature = new Signature(table.columns);
  for (const place of eachPlace(table.text)) {
    const path = pathAt(table.text, place);
    textStarts.push(place.from);
    starts.push(place.start);
    selfRows.push(rowOf.get(path) ?? -1);
    let names: readonly string[] | undefined;
    for (let at = 0; at < place.count; at += 1) {
      signature.row = place.start + at;
      if (!isFolderType(signature.low(AT.mode))) continue;
      names ??= namesAt(table.text, place);
      rowOf.set(joinBytes(path, names[at] ?? ''), place.start + at);
    }
  }
  return {
    textStarts: Uint32Array.from(textStarts),
    starts: Uint32Array.from(starts),
    selfRows: Int32Array.from(selfRows),
  };
}
