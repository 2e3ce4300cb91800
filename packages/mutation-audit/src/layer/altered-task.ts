import { parentOf } from '../git/locate.ts';
import type { PathName } from '../model.ts';
import { type BytePath, toBytePath, toPathName } from '../path-name.ts';
import { bothSpellings, checkRoots } from '../snapshot/check-roots.ts';
import { observeTree } from '../snapshot/observe-tree.ts';
import { type SourceFile, sourceFiles } from '../snapshot/source-files.ts';
import type { Crew } from '../thread/crew.ts';
import type { AuditTask } from '../thread/protocol.ts';
import type { ContentResult } from '../tree/content.ts';
import { isProblem, joinBytes, lookAt } from '../tree/folder-reader.ts';
import { fileTypeOf } from '../tree/stat-rows.ts';

/** Where what was written in a throw-away layer lies. */
export type LayerPlace =
  /** overlayfs' uppermost folder. */
  | { readonly kind: 'overlay'; readonly folder: string }
  /** A copy of the tree, complete before `madeAtNs` of its file system's clock. */
  | { readonly kind: 'copy'; readonly folder: string; readonly madeAtNs: bigint };

/** Some of a list, and how long it is. */
interface Named {
  readonly paths: readonly PathName[];
  readonly count: number;
}

/** What a layer tells of the tree's source by itself. Paths are relative to the work tree. */
export interface AlteredInLayer {
  readonly altered: Named;
  /**
   * Files in a folder that the overlay holds too: there, unless that folder was removed and made anew, which only the
   * mounted layer shows. `probe` is one of them, absolute; null where none has a name that a command can be given.
   */
  readonly doubts: readonly (Named & { readonly probe: string | null })[];
  readonly problem: string | null;
}

/** How many paths are named. */
export const MAX_NAMED = 50;

/** Compares a layer with the source of the tree below it; the tree is what it was. */
export async function alteredTask(task: Extract<AuditTask, { kind: 'altered' }>, crew: Crew): Promise<AlteredInLayer> {
  const exclude = bothSpellings(task.exclude);
  const roots = checkRoots([{ path: task.worktree, git: 'auto' }], exclude);
  const view = await observeTree(roots, exclude, crew);
  const search = new LayerSearch(roots[0]?.path ?? '', task.layer);
  for (const file of sourceFiles(view)) search.look(file);
  await search.compareContents(crew);
  const [problem] = view.problems;
  return search.found(problem === undefined ? null : problem.reason);
}

/** A folder of the tree as its layer has it: `below` it stands what the layer doesn't hold itself, where that isn't in doubt. */
type FolderState =
  | { readonly kind: 'held'; readonly doubt: BytePath | null }
  | { readonly kind: 'not-held'; readonly doubt: BytePath | null }
  | { readonly kind: 'gone' };

class LayerSearch {
  readonly #root: BytePath;
  readonly #layer: LayerPlace;
  readonly #upper: BytePath;
  readonly #folders = new Map<BytePath, FolderState>();
  readonly #altered = new PathList();
  readonly #doubts = new Map<BytePath, { readonly list: PathList; probe: string | null }>();
  readonly #toCompare: SourceFile[] = [];
  #problem: string | null = null;

  constructor(root: BytePath, layer: LayerPlace) {
    this.#root = root;
    this.#layer = layer;
    this.#upper = toBytePath(layer.folder);
    this.#folders.set(root, { kind: 'held', doubt: null });
  }

  look(file: SourceFile): void {
    const state = this.#stateOf(parentOf(file.path));
    if (state.kind === 'gone') this.#alter(file);
    else if (state.kind === 'not-held') this.#notHeld(file, state.doubt);
    else this.#lookAtHeld(file, state.doubt);
  }

  async compareContents(crew: Crew): Promise<void> {
    const files = this.#toCompare;
    const paths = files.flatMap(({ path }) => [path, this.#inLayer(path)]);
    const links = Uint8Array.from(files.flatMap(({ type }) => (type === 'symlink' ? [1, 1] : [0, 0])));
    const parts = await crew.run<'hash'>({ kind: 'hash', input: { counter: new SharedArrayBuffer(4), paths, links } });
    const contents = new Map<number, ContentResult>(parts.flat());
    for (const [at, file] of files.entries()) this.#judge(file, contents.get(2 * at), contents.get(2 * at + 1));
  }

  found(problem: string | null): AlteredInLayer {
    return {
      altered: this.#altered.named(),
      doubts: [...this.#doubts.values()].map(({ list, probe }) => ({ ...list.named(), probe })),
      problem: problem ?? this.#problem,
    };
  }

  #judge(file: SourceFile, tree: ContentResult | undefined, layer: ContentResult | undefined): void {
    for (const content of [tree, layer])
      if (content === undefined || 'reason' in content) this.#problem ??= content?.reason ?? 'it was not read';
    const isSame = tree !== undefined && layer !== undefined && 'sha256' in tree && 'sha256' in layer;
    if (!isSame || tree.sha256 !== layer.sha256) this.#alter(file);
  }

  #stateOf(folder: BytePath): FolderState {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const state = this.#newStateOf(folder, this.#stateOf(parentOf(folder)));
    this.#folders.set(folder, state);
    return state;
  }

  #newStateOf(folder: BytePath, above: FolderState): FolderState {
    if (above.kind !== 'held') return above;
    const stat = lookAt(this.#inLayer(folder));
    if (stat === undefined) return this.#layer.kind === 'copy' ? { kind: 'gone' } : { ...above, kind: 'not-held' };
    if (isProblem(stat) || fileTypeOf(stat.mode) !== 'directory') return { kind: 'gone' };
    return { kind: 'held', doubt: this.#layer.kind === 'copy' ? null : folder };
  }

  /** A device is how an overlay says that something was removed. */
  #lookAtHeld(file: SourceFile, doubt: BytePath | null): void {
    const stat = lookAt(this.#inLayer(file.path));
    if (stat === undefined) {
      if (this.#layer.kind === 'copy') this.#alter(file);
      else this.#notHeld(file, doubt);
      return;
    }
    if (isProblem(stat) || typeOf(stat.mode) !== file.type) this.#alter(file);
    else if (this.#layer.kind === 'overlay' || stat.ctimeNs >= this.#layer.madeAtNs) this.#toCompare.push(file);
  }

  #notHeld(file: SourceFile, doubt: BytePath | null): void {
    if (doubt === null) return;
    const known = this.#doubts.get(doubt) ?? { list: new PathList(), probe: null };
    const name = toPathName(file.path);
    if (typeof name === 'string') known.probe ??= name;
    known.list.add(this.#relative(file));
    this.#doubts.set(doubt, known);
  }

  #alter(file: SourceFile): void {
    this.#altered.add(this.#relative(file));
  }

  #relative({ path }: SourceFile): BytePath {
    return path.slice(joinBytes(this.#root, '').length);
  }

  #inLayer(path: BytePath): BytePath {
    return path === this.#root ? this.#upper : joinBytes(this.#upper, path.slice(joinBytes(this.#root, '').length));
  }
}

/** Names the first of its paths and counts all. */
class PathList {
  readonly #paths: PathName[] = [];
  #count = 0;

  add(path: BytePath): void {
    this.#count += 1;
    if (this.#paths.length < MAX_NAMED) this.#paths.push(toPathName(path));
  }

  named(): Named {
    return { paths: this.#paths, count: this.#count };
  }
}

function typeOf(mode: bigint): string {
  const type = fileTypeOf(mode);
  return type === 'file' && (mode & 0o100n) !== 0n ? 'program' : type;
}
