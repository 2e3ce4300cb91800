import type { IndexFile } from '../git/read-states.ts';
import { TrackedFiles } from '../git/tracked-files.ts';
import { IgnoreRules } from '../ignore/ignore-rules.ts';
import type { BytePath } from '../path-name.ts';
import { DIGEST_BYTES, type SnapshotData } from '../snapshot/snapshot-data.ts';
import type { MovedDevices } from '../tree/row-comparison.ts';
import { Signature } from '../tree/signature.ts';
import { AT } from '../tree/stat-rows.ts';

/** What was known of one path at the baseline. */
export interface KnownPath {
  readonly isTracked: boolean;
  readonly isIgnored: boolean;
}

/** A snapshot with the questions that a comparison asks of it. */
export class Baseline {
  readonly data: SnapshotData;
  readonly indexes: ReadonlyMap<string, IndexFile>;
  /** Set once the roots were looked at. */
  movedDevices: MovedDevices = new Map();
  readonly #digestOfRow: ReadonlyMap<number, number>;
  readonly #signature: Signature;
  #tracked: TrackedFiles | undefined;
  #ignore: IgnoreRules | undefined;

  constructor(data: SnapshotData) {
    this.data = data;
    this.#signature = new Signature(data.columns);
    this.indexes = new Map(
      Object.entries(data.header.indexes).map(([key, { blob, digest, mtimeNs, signature }]) => [
        key,
        { bytes: data.blobs[blob] ?? (() => Buffer.alloc(0)), digest, mtimeNs: BigInt(mtimeNs), signature },
      ]),
    );
    this.#digestOfRow = new Map(Array.from(data.digests.rows, (row, at) => [row, at]));
  }

  /** Parsed on first use: most comparisons find nothing that needs it. */
  get tracked(): TrackedFiles {
    this.#tracked ??= new TrackedFiles().add({ states: this.data.header.states, indexes: this.indexes });
    return this.#tracked;
  }

  get ignore(): IgnoreRules {
    this.#ignore ??= new IgnoreRules(this.data.header.ignore);
    return this.#ignore;
  }

  cell(row: number, column: number): bigint {
    this.#signature.row = row;
    const cell = this.#signature.cell(column);
    return column === AT.dev ? (this.movedDevices.get(cell) ?? cell) : cell;
  }

  knownOf(path: BytePath, isFolder: boolean): KnownPath {
    const isTracked = !isFolder && this.tracked.find(path) !== undefined;
    return { isTracked, isIgnored: !isTracked && this.ignore.isIgnored(path, isFolder) };
  }

  /** Our digest of a row's content, where it was read at the baseline; hex. */
  digestOf(row: number): string | undefined {
    const at = this.#digestOfRow.get(row);
    return at === undefined
      ? undefined
      : this.data.digests.bytes.toString('hex', at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
  }

  /** Git's id of a row's content, where its index vouches for it. */
  gitIdOf(row: number, path: BytePath): { readonly format: 'sha1' | 'sha256'; readonly oid: string } | undefined {
    const found = this.tracked.find(path);
    this.#signature.row = row;
    if (found === undefined || !found.tree.vouchesFor(found.at, this.#signature)) return undefined;
    return { format: found.tree.objectFormat, oid: found.tree.entryAt(found.at).oid };
  }

  /** Rows whose signature can't vouch for their content, so that it is read again. */
  youngRows(): readonly number[] {
    const { rows, isYoung } = this.data.digests;
    return Array.from(rows).filter((_, at) => isYoung[at] === 1);
  }
}
