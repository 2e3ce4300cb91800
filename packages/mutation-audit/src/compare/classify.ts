import type { ChangeKind, ObservedTrace } from '../model.ts';
import { AT, fileTypeOf } from '../tree/stat-rows.ts';

/** What is known of an entry's content on both sides. `unknown`: the baseline has no digest of it. */
export type ContentVerdict = 'equal' | 'different' | 'unknown';

/** A lasting change, a trace, or nothing worth telling. */
export type Classified =
  | { readonly kind: 'change'; readonly change: ChangeKind }
  | { readonly kind: 'trace'; readonly trace: ObservedTrace['kind'] }
  | { readonly kind: 'nothing' };

/** Judges one entry that is there on both sides and looks different. Rows are signatures in STAT_FIELDS order. */
export function classify(
  before: BigInt64Array,
  after: BigInt64Array,
  o: { content: ContentVerdict; isBusyFolder: boolean },
): Classified {
  const type = fileTypeOf(after[AT.mode] ?? -1n);
  if (fileTypeOf(before[AT.mode] ?? -1n) !== type) return { kind: 'change', change: 'type' };
  const hasOtherMode = differs(before, after, [AT.mode, AT.uid, AT.gid]);
  if (type === 'directory') return classifyFolder(before, after, { hasOtherMode, isBusy: o.isBusyFolder });
  if (type !== 'file' && type !== 'symlink') return classifySpecial(before, after, hasOtherMode);
  if (o.content === 'different') return { kind: 'change', change: 'modified' };
  // A mode change moves the change time by itself; with size, inode and modification time kept it explains the difference.
  const isExplained = hasOtherMode && !differs(before, after, [AT.ino, AT.size, AT.mtimeNs]);
  if (o.content === 'unknown' && !isExplained) return { kind: 'change', change: 'modified' };
  if (hasOtherMode) return { kind: 'change', change: 'mode' };
  return { kind: 'trace', trace: differs(before, after, [AT.ino, AT.mtimeNs]) ? 'touched' : 'restored' };
}

function classifyFolder(
  before: BigInt64Array,
  after: BigInt64Array,
  o: { hasOtherMode: boolean; isBusy: boolean },
): Classified {
  if (o.hasOtherMode) return { kind: 'change', change: 'mode' };
  // Names that came, went or were replaced explain a folder's times, and are told themselves.
  if (o.isBusy) return { kind: 'nothing' };
  if (differs(before, after, [AT.mtimeNs])) return { kind: 'trace', trace: 'transient' };
  return { kind: 'trace', trace: 'restored' };
}

function classifySpecial(before: BigInt64Array, after: BigInt64Array, hasOtherMode: boolean): Classified {
  if (differs(before, after, [AT.ino])) return { kind: 'change', change: 'modified' };
  if (hasOtherMode) return { kind: 'change', change: 'mode' };
  return { kind: 'trace', trace: 'touched' };
}

function differs(before: BigInt64Array, after: BigInt64Array, columns: readonly number[]): boolean {
  return columns.some((column) => before[column] !== after[column]);
}
