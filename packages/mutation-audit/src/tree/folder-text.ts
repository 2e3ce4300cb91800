import type { BytePath } from '../path-name.ts';

/**
 * Folders and the names in them, as bytes: `folder \0 name/name \0 folder \0 …`, sorted component by component. The rows of all names follow
 * one another.
 */
export type FolderText = Buffer;

/** One folder of a text. */
export interface FolderEntry {
  readonly path: BytePath;
  readonly names: readonly string[];
  /** Row of the first name. */
  readonly start: number;
}

/** A folder's place in a text. */
export interface FolderPlace {
  readonly from: number;
  readonly namesFrom: number;
  readonly end: number;
  readonly start: number;
  readonly count: number;
}

/** The folders of a text, in order. */
export function* eachFolder(text: FolderText): Generator<FolderEntry> {
  for (const place of eachPlace(text)) {
    yield { path: pathAt(text, place), names: namesAt(text, place), start: place.start };
  }
}

/** The same, nothing of it made a string. */
export function* eachPlace(text: FolderText): Generator<FolderPlace> {
  let start = 0;
  for (let from = 0; from < text.length; ) {
    const namesFrom = text.indexOf(0, from) + 1;
    let [end, count] = [namesFrom, 0];
    for (; end < text.length && text[end] !== 0; end += 1) if (text[end] === SLASH) count += 1;
    if (end > namesFrom) count += 1;
    yield { from, namesFrom, end, start, count };
    start += count;
    from = end + 1;
  }
}

export function pathAt(text: FolderText, { from, namesFrom }: Pick<FolderPlace, 'from' | 'namesFrom'>): BytePath {
  return text.toString('latin1', from, namesFrom - 1);
}

export function namesAt(text: FolderText, { namesFrom, end }: FolderPlace): readonly string[] {
  return end === namesFrom ? [] : text.toString('latin1', namesFrom, end).split('/');
}

const SLASH = 0x2f;
