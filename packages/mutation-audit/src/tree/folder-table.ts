import type { BytePath } from '../path-name.ts';
import { joinBytes } from './folder-reader.ts';
import { AT, isFolderMode, STAT_WIDTH, type StatColumns } from './stat-rows.ts';
import type { WalkPart } from './walk.ts';

/** All entries of a walk in one order, whatever thread found them. */
export interface FolderTable {
  /** As in a snapshot: `folder \0 name/name \0 …`. */
  readonly text: string;
  readonly columns: BigInt64Array;
  readonly count: number;
}

interface Slice {
  readonly key: string;
  readonly folder: BytePath;
  readonly names: string;
  readonly rows: StatColumns;
  readonly start: number;
  readonly count: number;
}

/** Merges the threads' parts, sorted component by component, rows turned into columns. */
export function mergeParts(parts: readonly WalkPart[]): FolderTable {
  const slices = parts.flatMap(slicesOf).sort(bySliceOrder);
  const count = slices.reduce((sum, slice) => sum + slice.count, 0);
  const columns = new BigInt64Array(count * STAT_WIDTH);
  const texts: string[] = [];
  let row = 0;
  let previous: string | undefined;
  for (const slice of slices) {
    const joinsPrevious = slice.folder === previous && slice.count > 0;
    if (joinsPrevious) texts.push(`${texts.pop() ?? ''}/${slice.names}`);
    else texts.push(slice.folder, slice.names);
    previous = slice.folder;
    copyRows(columns, { count, row }, slice);
    row += slice.count;
  }
  return { text: texts.join('\0'), columns, count };
}

function copyRows(columns: BigInt64Array, to: { count: number; row: number }, slice: Slice): void {
  const { cells, capacity } = slice.rows;
  for (let column = 0; column < STAT_WIDTH; column += 1) {
    const from = column * capacity + slice.start;
    columns.set(cells.subarray(from, from + slice.count), column * to.count + to.row);
  }
}

function slicesOf(part: WalkPart): Slice[] {
  const texts = part.folders === '' ? [] : part.folders.split('\0');
  const slices: Slice[] = [];
  let start = 0;
  for (let at = 0; at < texts.length; at += 2) {
    const folder = texts[at] ?? '';
    const count = part.counts[at / 2] ?? 0;
    slices.push({
      key: folder.replaceAll('/', '\0'),
      folder,
      names: texts[at + 1] ?? '',
      rows: part.rows,
      start,
      count,
    });
    start += count;
  }
  return slices;
}

function bySliceOrder(a: Slice, b: Slice): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.names < b.names ? -1 : 1;
}

/** One folder of a table. */
export interface FolderEntry {
  readonly path: BytePath;
  readonly names: readonly string[];
  readonly start: number;
}

/** The folders of a table's text, in order, each with the row at which its names begin. */
export function* eachFolder(text: string): Generator<FolderEntry> {
  if (text === '') return;
  const texts = text.split('\0');
  let start = 0;
  for (let at = 0; at < texts.length; at += 2) {
    const joined = texts[at + 1] ?? '';
    const names = joined === '' ? [] : joined.split('/');
    yield { path: texts[at] ?? '', names, start };
    start += names.length;
  }
}

/** Where each folder's rows begin, and the row of the folder itself: -1 - n for the n-th root. */
export function indexFolders(
  table: FolderTable,
  roots: readonly BytePath[],
): { starts: Uint32Array; selfRows: Int32Array } {
  const starts: number[] = [];
  const selfRows: number[] = [];
  const rowOf = new Map<BytePath, number>(roots.map((root, at) => [root, -1 - at]));
  for (const { path, names, start } of eachFolder(table.text)) {
    starts.push(start);
    selfRows.push(rowOf.get(path) ?? -1);
    for (let at = 0; at < names.length; at += 1) {
      const mode = table.columns[AT.mode * table.count + start + at] ?? -1n;
      if (isFolderMode(mode)) rowOf.set(joinBytes(path, names[at] ?? ''), start + at);
    }
  }
  return { starts: Uint32Array.from(starts), selfRows: Int32Array.from(selfRows) };
}
