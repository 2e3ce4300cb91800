import type { BytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { eachFolder } from '../tree/folder-text.ts';
import { Signature } from '../tree/signature.ts';
import { AT } from '../tree/stat-rows.ts';
import type { Baseline } from './baseline.ts';

/** No more files with several links are named: a tree that a package manager linked together holds tens of thousands. */
const MAX_NAMED = 1_000;
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;

/** The files with more than one link at the baseline, ignored ones left aside: something outside the roots may write them (MA-5). */
export function manyLinked(baseline: Baseline): readonly BytePath[] {
  const rows = rowsWithLinks(baseline);
  if (rows.size === 0) return [];
  const found: BytePath[] = [];
  for (const { path, names, start } of eachFolder(baseline.data.folders)) {
    for (const [at, name] of names.entries()) {
      if (!rows.has(start + at) || found.length >= MAX_NAMED) continue;
      const full = joinBytes(path, name);
      if (!baseline.knownOf(full, false).isIgnored) found.push(full);
    }
  }
  return found;
}

function rowsWithLinks({ data }: Baseline): ReadonlySet<number> {
  const signature = new Signature(data.columns);
  const rows = new Set<number>();
  for (let row = 0; row < signature.count; row += 1) {
    signature.row = row;
    if (signature.low(AT.nlink) > 1 && (signature.low(AT.mode) & TYPE_MASK) === REGULAR) rows.add(row);
  }
  return rows;
}
