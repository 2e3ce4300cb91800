import type { ObservedChange, ObservedTrace, PathName, UnverifiablePath } from '../model.ts';
import { type BytePath, displayPath, toPathName } from '../path-name.ts';
import { isBelow } from '../snapshot/check-roots.ts';
import type { Crew } from '../thread/crew.ts';
import type { NewEntry, RowDifference } from '../tree/compare-share.ts';
import type { ContentResult } from '../tree/content.ts';
import { AT, fileTypeOf, STAT_WIDTH } from '../tree/stat-rows.ts';
import type { Baseline, KnownPath } from './baseline.ts';
import { type ContentVerdict, classify } from './classify.ts';
import type { SecondLook } from './look-again.ts';
import { manyLinked } from './many-linked.ts';
import { type ContentWanted, readContents } from './read-contents.ts';

/** The part of an observation that is about files and folders. */
export interface TreeChanges {
  readonly changes: readonly ObservedChange[];
  readonly traces: readonly ObservedTrace[];
  readonly unverifiable: readonly UnverifiablePath[];
  readonly aliased: readonly PathName[];
}

/** Reads what looks different and says what changed. */
export async function observeChanges(baseline: Baseline, look: SecondLook, crew: Crew): Promise<TreeChanges> {
  const observer = new Observer(baseline, look);
  const contents = await readContents(observer.wanted(), crew);
  return observer.judge(contents);
}

/** Ignored entries are read up to here, then only told: an install can bring in fifty thousand. */
const MAX_IGNORED_READS = 2_000;

interface Item {
  readonly path: BytePath;
  readonly known: KnownPath;
  /** Undefined for an entry that the baseline doesn't have. */
  readonly row?: number;
  readonly before?: BigInt64Array;
  readonly after?: BigInt64Array;
  readonly gitId?: { readonly format: 'sha1' | 'sha256'; readonly oid: string };
}

class Observer {
  readonly #baseline: Baseline;
  readonly #look: SecondLook;
  readonly #items: readonly Item[];
  readonly #changes: ObservedChange[] = [];
  readonly #traces: ObservedTrace[] = [];
  readonly #unverifiable: UnverifiablePath[] = [];
  readonly #aliased = new Set<BytePath>();
  readonly #roots: readonly BytePath[];

  constructor(baseline: Baseline, look: SecondLook) {
    this.#baseline = baseline;
    this.#look = look;
    this.#roots = baseline.data.header.roots.map(({ path }) => path).sort((a, b) => b.length - a.length);
    this.#items = [
      ...[...look.differences, ...look.young].map((difference) => this.#itemOf(difference)),
      ...look.created.map((entry) => this.#newItem(entry)),
    ].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  wanted(): readonly ContentWanted[] {
    let ignoredReads = 0;
    const wanted: ContentWanted[] = [];
    for (const { path, after, known, gitId } of this.#items) {
      const type = after === undefined ? undefined : fileTypeOf(after[AT.mode] ?? -1n);
      if (type !== 'file' && type !== 'symlink') continue;
      if (known.isIgnored) ignoredReads += 1;
      if (known.isIgnored && ignoredReads > MAX_IGNORED_READS) continue;
      wanted.push({ path, isLink: type === 'symlink', ...(gitId === undefined ? {} : { gitFormat: gitId.format }) });
    }
    return wanted;
  }

  judge(contents: ReadonlyMap<BytePath, ContentResult>): TreeChanges {
    for (const item of this.#items) this.#judgeItem(item, contents.get(item.path));
    this.#judgeRoots();
    for (const path of manyLinked(this.#baseline)) this.#aliased.add(path);
    for (const { path, reason } of this.#problems()) this.#addUnverifiable(path, reason);
    return {
      changes: this.#changes,
      traces: this.#traces,
      unverifiable: this.#unverifiable,
      aliased: [...this.#aliased].map(toPathName),
    };
  }

  #itemOf({ row, path, after }: RowDifference): Item {
    const before = BigInt64Array.from({ length: STAT_WIDTH }, (_, column) => this.#baseline.cell(row, column));
    const known = this.#baseline.knownOf(path, fileTypeOf(before[AT.mode] ?? -1n) === 'directory');
    const gitId = this.#baseline.gitIdOf(row, path);
    return {
      path,
      known,
      row,
      before,
      ...(after === undefined ? {} : { after }),
      ...(gitId === undefined ? {} : { gitId }),
    };
  }

  #newItem({ path, after }: NewEntry): Item {
    return { path, after, known: this.#baseline.knownOf(path, fileTypeOf(after[AT.mode] ?? -1n) === 'directory') };
  }

  #judgeItem(item: Item, content: ContentResult | undefined): void {
    const { before, after, path } = item;
    const failure = content !== undefined && 'reason' in content ? content.reason : undefined;
    if (failure !== undefined) this.#addUnverifiable(path, failure);
    if (before !== undefined && before[AT.mode] === -1n) {
      this.#addUnverifiable(path, 'it could not be looked at when the snapshot was taken');
    } else if (before === undefined || after === undefined) {
      this.#addChange(item, { kind: before === undefined ? 'created' : 'deleted', content });
    } else this.#judgeBoth(item, { before, after, content });
  }

  #judgeBoth(item: Item, o: { before: BigInt64Array; after: BigInt64Array; content: ContentResult | undefined }): void {
    const { before, after, content } = o;
    const { path } = item;
    const judged = classify(before, after, {
      content: this.#compareContent(item, content),
      isBusyFolder: this.#look.busyFolders.has(path),
    });
    if (judged.kind === 'change') this.#addChange(item, { kind: judged.change, content });
    if (judged.kind === 'trace' && !isSame(before, after))
      this.#traces.push({ path: toPathName(path), kind: judged.trace });
  }

  #compareContent({ row, gitId }: Item, content: ContentResult | undefined): ContentVerdict {
    if (content === undefined || 'reason' in content) return 'unknown';
    const known = row === undefined ? undefined : this.#baseline.digestOf(row);
    if (known !== undefined) return known === content.sha256 ? 'equal' : 'different';
    if (gitId === undefined) return 'unknown';
    return gitId.oid === content.gitBlob ? 'equal' : 'different';
  }

  #addChange(item: Item, o: { kind: ObservedChange['kind']; content: ContentResult | undefined }): void {
    const { path, before, after, known } = item;
    const mode = (after ?? before)?.[AT.mode] ?? -1n;
    const fileType = fileTypeOf(mode);
    if (fileType === 'file' && ((before?.[AT.nlink] ?? 0n) > 1n || (after?.[AT.nlink] ?? 0n) > 1n))
      this.#aliased.add(path);
    this.#changes.push({
      path: toPathName(path),
      root: displayPath(toPathName(this.#rootOf(path))),
      kind: o.kind,
      fileType,
      beforeDigest: this.#beforeDigest(item),
      afterDigest: o.content !== undefined && 'sha256' in o.content ? `sha256:${o.content.sha256}` : null,
      ignored: known.isIgnored,
      tracked: known.isTracked,
    });
  }

  #beforeDigest({ row, gitId }: Item): string | null {
    const known = row === undefined ? undefined : this.#baseline.digestOf(row);
    if (known !== undefined) return `sha256:${known}`;
    return gitId === undefined ? null : `git-${gitId.format}:${gitId.oid}`;
  }

  #judgeRoots(): void {
    for (const { path, before, after } of this.#look.rootChanges) {
      if (after === undefined) {
        this.#addUnverifiable(path, 'the root can no longer be looked at');
        continue;
      }
      const judged = classify(before, after, { content: 'unknown', isBusyFolder: this.#look.busyFolders.has(path) });
      const item = { path, before, after, known: { isTracked: false, isIgnored: false } };
      if (judged.kind === 'change') this.#addChange(item, { kind: judged.change, content: undefined });
      if (judged.kind === 'trace') this.#traces.push({ path: toPathName(path), kind: judged.trace });
    }
  }

  /** What could not be looked at then or now; a folder that no one could list may hide anything. */
  #problems(): readonly { path: BytePath; reason: string }[] {
    const now = new Map(this.#look.problems.map((problem) => [problem.path, problem.reason]));
    const then = this.#baseline.data.header.problems.filter(({ path }) => !now.has(path));
    return [
      ...[...now].map(([path, reason]) => ({ path, reason })),
      ...then.map(({ path, reason }) => ({ path, reason: `${reason} (when the snapshot was taken)` })),
    ];
  }

  #addUnverifiable(path: BytePath, reason: string): void {
    const ignored = this.#baseline.knownOf(path, true).isIgnored || this.#baseline.knownOf(path, false).isIgnored;
    this.#unverifiable.push({ path: toPathName(path), reason, ignored });
  }

  #rootOf(path: BytePath): BytePath {
    return this.#roots.find((root) => path === root || isBelow(path, root)) ?? '/';
  }
}

function isSame(before: BigInt64Array, after: BigInt64Array): boolean {
  return before.every((cell, at) => cell === after[at]);
}
