import type { TrackedFiles } from '../git/tracked-files.ts';
import type { IgnoreRules } from '../ignore/ignore-rules.ts';
import type { BytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import type { FolderTable } from '../tree/folder-table.ts';
import { eachFolder, type FolderEntry } from '../tree/folder-text.ts';
import { Signature } from '../tree/signature.ts';
import { AT } from '../tree/stat-rows.ts';

/** An entry whose content nothing but a reading tells. */
export interface UnknownContent {
  readonly row: number;
  readonly path: BytePath;
  readonly isLink: boolean;
  readonly isYoung: boolean;
}

/** What decides. */
export interface ContentKnowledge {
  readonly tracked: TrackedFiles;
  readonly ignore: IgnoreRules;
  /** Change times (ns) from here on are too young to be trusted; undefined for paths whose file system has fine times. */
  youngFrom(path: BytePath): number | undefined;
}

/** At most so much is read at the baseline, besides what is too young for its times: else a tree without git would be read whole. */
const MAX_FILES = 4_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A larger file is left out, so that one alone doesn't use up the budget. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const LINK = 0o120000;

/**
 * The files and links whose content must be read now to be known later: not vouched for by git's index and not ignored (within the budget),
 * or too young for their times. A change of any other file is seen all the same; only whether it was a mere touch then stays open.
 */
export function findUnknownContent(table: FolderTable, knowledge: ContentKnowledge): readonly UnknownContent[] {
  const finder = new Finder(table, knowledge);
  for (const folder of eachFolder(table.text)) finder.visit(folder);
  return finder.found;
}

class Finder {
  readonly found: UnknownContent[] = [];
  readonly #knowledge: ContentKnowledge;
  readonly #signature: Signature;
  #files = 0;
  #bytes = 0;

  constructor(table: FolderTable, knowledge: ContentKnowledge) {
    this.#signature = new Signature(table.columns);
    this.#knowledge = knowledge;
  }

  visit(folder: FolderEntry): void {
    const { tracked, ignore } = this.#knowledge;
    const tree = tracked.treeAt(folder.path);
    const names = tree?.namesIn(folder.path);
    const isIgnored = tree !== undefined && folder.path !== tree.workTree && ignore.isIgnored(folder.path, true);
    const youngFrom = this.#knowledge.youngFrom(folder.path);
    if (isIgnored && names === undefined && youngFrom === undefined) return;
    // Both lists are in byte order, so one step forward at a time finds each name's entry.
    let next = 0;
    for (let at = 0; at < folder.names.length; at += 1) {
      const name = folder.names[at] ?? '';
      while (names !== undefined && next < names.names.length && (names.names[next] ?? '') < name) next += 1;
      const entryAt = names?.names[next] === name ? names.positions[next] : undefined;
      const row = folder.start + at;
      this.#signature.row = row;
      const type = this.#signature.low(AT.mode) & TYPE_MASK;
      if (type !== REGULAR && type !== LINK) continue;
      const isYoung = youngFrom !== undefined && this.#signature.about(AT.ctimeNs) >= youngFrom;
      if (!isYoung && entryAt !== undefined && tree?.vouchesFor(entryAt, this.#signature)) continue;
      const path = joinBytes(folder.path, name);
      if (!isYoung && entryAt === undefined && (isIgnored || ignore.isIgnored(path, false))) continue;
      if (isYoung || this.#fitsBudget(this.#signature.about(AT.size))) {
        this.found.push({ row, path, isLink: type === LINK, isYoung });
      }
    }
  }

  #fitsBudget(bytes: number): boolean {
    if (bytes > MAX_FILE_BYTES || this.#files >= MAX_FILES || this.#bytes + bytes > MAX_BYTES) return false;
    this.#files += 1;
    this.#bytes += bytes;
    return true;
  }
}
