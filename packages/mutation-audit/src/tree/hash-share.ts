import type { BytePath } from '../path-name.ts';
import { type ContentResult, contentOfFile, contentOfLink } from './content.ts';
import type { Share } from './turn.ts';

/** A list of files to digest, shared by threads through a counter. */
export interface HashShareInput {
  readonly counter: SharedArrayBuffer;
  readonly paths: readonly BytePath[];
  /** Which of the paths are links. */
  readonly links: Uint8Array;
  /** Per path: 1 where git's SHA-1 blob id is wanted too, 2 for its SHA-256 one. Absent: none. */
  readonly gitFormats?: Uint8Array;
}

/** What one thread digested: position in the list → content. */
export type HashSharePart = readonly (readonly [number, ContentResult])[];

const BATCH = 16;
const GIT_FORMATS = [undefined, 'sha1', 'sha256'] as const;

/** Digests files until the list is done: one thread's share. */
export function* hashShare(input: HashShareInput): Share<HashSharePart> {
  const next = new Int32Array(input.counter);
  const found: [number, ContentResult][] = [];
  for (;;) {
    const from = Atomics.add(next, 0, BATCH);
    if (from >= input.paths.length) return found;
    for (let at = from; at < Math.min(from + BATCH, input.paths.length); at += 1) {
      const path = input.paths[at] ?? '';
      const gitFormat = GIT_FORMATS[input.gitFormats?.[at] ?? 0];
      const wish = gitFormat === undefined ? {} : { gitFormat };
      found.push([at, input.links[at] === 1 ? contentOfLink(path, wish) : contentOfFile(path, wish)]);
      yield;
    }
  }
}
