/** The tracked files directly in a folder: names in byte order, and where each stands in the index. */
export interface FolderNames {
  readonly names: readonly string[];
  readonly positions: readonly number[];
}

/** Positions `from` to `to` of an index, in turn for as many stretches as there are. */
type Stretches = readonly number[];

/** The paths of an index as bytes: a string for each of a hundred thousand costs more than all else that is asked of them. */
export class IndexPaths {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(bytes: Buffer, starts: Uint32Array, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
    this.#ends = ends;
  }

  /** One path, one character per byte; empty beyond the last. */
  at(position: number): string {
    return this.#bytes.toString('latin1', this.#starts[position] ?? 0, this.#ends[position] ?? 0);
  }

  /** Folder, relative to the work tree, → the stretches of entries that lie directly in it. */
  byFolder(): ReadonlyMap<string, Stretches> {
    const folders = new Map<string, number[]>();
    let stretches: number[] = [];
    let folderLength = -1;
    for (let at = 0; at < this.#starts.length; at += 1) {
      const length = this.#folderLength(at);
      if (at > 0 && length === folderLength && this.#sharesStart(at, length)) {
        stretches[stretches.length - 1] = at + 1;
        continue;
      }
      folderLength = length;
      const start = this.#starts[at] ?? 0;
      const folder = this.#bytes.toString('latin1', start, start + length);
      stretches = folders.get(folder) ?? [];
      folders.set(folder, stretches);
      stretches.push(at, at + 1);
    }
    return folders;
  }

  /** The names in stretches of one folder. Of a conflicted path's stages the first stands for it. */
  namesIn(stretches: Stretches): FolderNames {
    const names: string[] = [];
    const positions: number[] = [];
    for (let next = 0; next < stretches.length; next += 2) {
      const [from = 0, to = 0] = [stretches[next], stretches[next + 1]];
      const base = this.#starts[from] ?? 0;
      const text = this.#bytes.toString('latin1', base, this.#ends[to - 1]);
      const cut = this.#folderLength(from);
      for (let at = from; at < to; at += 1) {
        const name = text.slice(
          (this.#starts[at] ?? 0) - base + (cut === 0 ? 0 : cut + 1),
          (this.#ends[at] ?? 0) - base,
        );
        if (names.at(-1) === name) continue;
        names.push(name);
        positions.push(at);
      }
    }
    return { names, positions };
  }

  /** Bytes of a path before its last slash. */
  #folderLength(position: number): number {
    const start = this.#starts[position] ?? 0;
    let at = (this.#ends[position] ?? 0) - 1;
    while (at >= start && this.#bytes[at] !== SLASH) at -= 1;
    return Math.max(0, at - start);
  }

  /** Whether a path begins as the one before it does. */
  #sharesStart(position: number, length: number): boolean {
    const [before = 0, own = 0] = [this.#starts[position - 1], this.#starts[position]];
    for (let at = length - 1; at >= 0; at -= 1) if (this.#bytes[before + at] !== this.#bytes[own + at]) return false;
    return true;
  }
}

const SLASH = 0x2f;
