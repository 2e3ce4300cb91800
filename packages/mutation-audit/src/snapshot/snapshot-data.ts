import type { GitState } from '../git/git-state.ts';
import type { IgnoreSource } from '../ignore/ignore-rules.ts';
import type { BytePath } from '../path-name.ts';
import type { WalkProblem } from '../tree/folder-reader.ts';
import type { FolderText } from '../tree/folder-text.ts';
import type { PackedColumns } from '../tree/signature.ts';

/** A root as it stood: its own signature in STAT_FIELDS order, as decimal strings. */
export interface RootFacts {
  readonly path: BytePath;
  readonly git: 'auto' | 'none';
  /** False where it lies in another root, whose entries include it. */
  readonly isWalked: boolean;
  readonly row: readonly string[];
  /** True where the file system gives two changes in a row two change times, as far as a look lies between them. */
  readonly hasFineTimes: boolean;
}

/** One index: the number of the blob that holds it, and what an IndexFile says of it. */
interface IndexFacts {
  readonly blob: number;
  readonly digest: string;
  readonly mtimeNs: string;
  readonly signature: string | null;
}

/** What the snapshot says about itself, as JSON. Paths hold one character per byte. */
export interface SnapshotHeader {
  readonly schemaVersion: '1.0';
  readonly roots: readonly RootFacts[];
  readonly exclude: readonly BytePath[];
  /** False where what a process held mapped could not be flushed before the walk. */
  readonly isSettled: boolean;
  readonly problems: readonly WalkProblem[];
  readonly gitEntries: readonly BytePath[];
  readonly states: readonly GitState[];
  /** State key → the index it had. */
  readonly indexes: Readonly<Record<string, IndexFacts>>;
  readonly ignore: readonly IgnoreSource[];
}

/** A snapshot in memory. */
export interface SnapshotData {
  readonly header: SnapshotHeader;
  readonly folders: FolderText;
  readonly columns: PackedColumns;
  readonly digests: BaselineDigests;
  /** Unpacked only when asked for: most comparisons need none. */
  readonly blobs: readonly (() => Buffer)[];
}

/** Content that was read at the baseline: ascending row numbers with a SHA-256 each. `isYoung` marks those that a signature can't vouch for. */
export interface BaselineDigests {
  readonly rows: Uint32Array;
  readonly isYoung: Uint8Array;
  readonly bytes: Buffer;
}

/** Bytes of a SHA-256. */
export const DIGEST_BYTES = 32;
