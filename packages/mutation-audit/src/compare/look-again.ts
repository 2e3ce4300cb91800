import type { BytePath } from '../path-name.ts';
import { isBelow } from '../snapshot/check-roots.ts';
import type { Crew } from '../thread/crew.ts';
import type { NewEntry, RowDifference } from '../tree/compare-share.ts';
import { isProblem, joinBytes, lookAt, type WalkProblem } from '../tree/folder-reader.ts';
import { indexFolders } from '../tree/folder-table.ts';
import { eachFolder, eachPlace, type FolderText, pathAt } from '../tree/folder-text.ts';
import { KeptMemory } from '../tree/kept-memory.ts';
import { packRows } from '../tree/pack-rows.ts';
import type { PackedColumns } from '../tree/signature.ts';
import { AT, isFolderMode, STAT_WIDTH, StatRows, writeRow } from '../tree/stat-rows.ts';
import type { Baseline } from './baseline.ts';

/** What looks different from the baseline, before any content is read. */
export interface SecondLook {
  readonly differences: readonly RowDifference[];
  readonly created: readonly NewEntry[];
  readonly problems: readonly WalkProblem[];
  readonly gitEntries: readonly BytePath[];
  readonly busyFolders: ReadonlySet<BytePath>;
  /** Rows that look the same, but whose times can't vouch for their content. */
  readonly young: readonly RowDifference[];
  readonly rootChanges: readonly {
    readonly path: BytePath;
    readonly before: BigInt64Array;
    readonly after?: BigInt64Array;
  }[];
}

/** Looks at everything again, with all threads; `meanwhile` runs in this one before it joins in. */
export async function lookAgain(baseline: Baseline, crew: Crew, meanwhile?: () => Promise<void>): Promise<SecondLook> {
  const { data } = baseline;
  const roots = data.header.roots.map((root) => ({
    ...root,
    before: BigInt64Array.from(root.row, BigInt),
    after: rowNow(root.path),
  }));
  baseline.movedDevices = movedDevices(roots);
  const table = { text: data.folders, columns: data.columns };
  const paths = roots.map(({ path }) => path);
  const index = indexFolders(table, paths);
  const coarse = roots.filter((root) => !root.hasFineTimes).map(({ path }) => path);
  const parts = await crew.run<'compare'>(
    {
      kind: 'compare',
      input: {
        counter: new SharedArrayBuffer(4),
        folders: data.folders,
        columns: data.columns,
        index,
        movedDevices: baseline.movedDevices,
        rootColumns: packedRoots(roots),
        alwaysList: coarseFolders(data.folders, index.starts.length, coarse),
        limits: {
          exclude: data.header.exclude,
          plainRoots: roots.filter(({ git }) => git === 'none').map(({ path }) => path),
        },
      },
    },
    meanwhile,
  );
  const differences = withLostFolders(
    baseline,
    parts.flatMap((part) => part.differences),
  );
  return {
    differences,
    created: parts.flatMap((part) => part.created),
    problems: parts.flatMap((part) => part.problems),
    gitEntries: parts.flatMap((part) => part.gitEntries),
    busyFolders: new Set(parts.flatMap((part) => part.busyFolders)),
    young: youngRows(baseline, differences),
    rootChanges: roots
      .filter(
        ({ isWalked, before, after }) =>
          isWalked && (after === undefined || before.some((cell, at) => cell !== after[at])),
      )
      .map(({ path, before, after }) => ({ path, before, ...(after === undefined ? {} : { after }) })),
  };
}

interface RootNow {
  readonly before: BigInt64Array;
  readonly after: BigInt64Array | undefined;
}

/** Device numbers of some file systems change when they are mounted again: where a root's inode is the same, its new number is. */
function movedDevices(roots: readonly RootNow[]): ReadonlyMap<bigint, bigint> {
  const moved = new Map<bigint, bigint>();
  for (const { before, after } of roots) {
    const [was, is] = [before[AT.dev], after?.[AT.dev]];
    if (was === undefined || is === undefined || was === is || before[AT.ino] !== after?.[AT.ino]) continue;
    moved.set(was, is);
    before[AT.dev] = is;
  }
  return moved;
}

function packedRoots(roots: readonly RootNow[]): PackedColumns {
  const memory = new KeptMemory();
  const rows = new StatRows(memory);
  for (const { before } of roots) rows.pushCells(before);
  return packRows([{ rows: rows.take(), start: 0, count: roots.length }], memory);
}

function rowNow(path: BytePath): BigInt64Array | undefined {
  const stat = lookAt(path);
  if (stat === undefined || isProblem(stat)) return undefined;
  const row = new BigInt64Array(STAT_WIDTH);
  writeRow(row, 0, stat);
  return row;
}

function coarseFolders(text: FolderText, count: number, coarse: readonly BytePath[]): Uint8Array {
  const flags = new Uint8Array(count);
  if (coarse.length === 0) return flags;
  let at = 0;
  for (const place of eachPlace(text)) {
    const path = pathAt(text, place);
    if (coarse.some((root) => path === root || isBelow(path, root))) flags[at] = 1;
    at += 1;
  }
  return flags;
}

/**
 * Below a folder that has become something else (a link, say) everything is gone, even where the same names still lead somewhere: what was
 * looked at there was no longer this tree.
 */
function withLostFolders(baseline: Baseline, differences: readonly RowDifference[]): readonly RowDifference[] {
  const lost = differences
    .filter(({ row, after }) => isFolderMode(baseline.cell(row, AT.mode)) && !isFolderMode(after?.[AT.mode] ?? -1n))
    .map(({ path }) => path);
  if (lost.length === 0) return differences;
  const isLost = (path: BytePath): boolean => lost.some((folder) => isBelow(path, folder));
  const kept = differences.filter(({ path }) => !isLost(path));
  for (const { path, names, start } of eachFolder(baseline.data.folders)) {
    if (!lost.includes(path) && !isLost(path)) continue;
    for (const [at, name] of names.entries()) kept.push({ row: start + at, path: joinBytes(path, name) });
  }
  return kept;
}

function youngRows(baseline: Baseline, differences: readonly RowDifference[]): readonly RowDifference[] {
  const wanted = new Set(baseline.youngRows());
  for (const { row } of differences) wanted.delete(row);
  if (wanted.size === 0) return [];
  const found: RowDifference[] = [];
  for (const { path, names, start } of eachFolder(baseline.data.folders)) {
    for (const [at, name] of names.entries()) {
      if (wanted.has(start + at))
        found.push({ row: start + at, path: joinBytes(path, name), after: rowOf(baseline, start + at) });
    }
  }
  return found;
}

function rowOf(baseline: Baseline, row: number): BigInt64Array {
  return BigInt64Array.from({ length: STAT_WIDTH }, (_, column) => baseline.cell(row, column));
}
