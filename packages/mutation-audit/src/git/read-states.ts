import type { BytePath } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import { hasFineTimes } from '../tree/fine-times.ts';
import { isProblem, joinBytes, lookAt, readNames, type WalkProblem } from '../tree/folder-reader.ts';
import type { KeptMemory } from '../tree/kept-memory.ts';
import { readControlFile, sha256Of } from './control-file.ts';
import { type GitState, stateKey } from './git-state.ts';
import { isGitFolder, parentOf, placeAbove, placeAt, type RepositoryPlace, resolveBytes } from './locate.ts';
import { readCheckoutItems } from './read-checkout.ts';
import { type Findings, readCommonItems, readFormat } from './read-common.ts';

/** All states, and the bytes of the index of each checkout that lies in it. */
export interface GitReading {
  readonly states: readonly GitState[];
  readonly indexes: ReadonlyMap<string, IndexFile>;
}

/** An index's bytes, and when it was last written: entries as young as it can't vouch for their files. */
export interface IndexFile {
  readonly bytes: () => Buffer;
  /** `sha256:…` of the bytes. */
  readonly digest: string;
  readonly mtimeNs: bigint;
  /** Its signature, where an equal one later proves equal bytes; null where the file system's times are too coarse for that. */
  readonly signature: string | null;
}

/**
 * Reads git's state by meaning from the control files themselves: no git is run, so nothing that a configuration, hook, attribute or
 * filter names can be. In steps, so that the roots' repositories can be read while a walk still looks for others.
 */
export class GitReader implements GitReading {
  readonly states: GitState[] = [];
  readonly indexes = new Map<string, IndexFile>();
  /** Work trees that roots lie in. */
  readonly ownTrees = new Set<BytePath>();
  readonly #states = new Map<string, GitState>();
  readonly #commonFolders = new Map<BytePath, { nested: boolean }>();
  readonly #exclude: ReadonlySet<BytePath>;
  readonly #memory: KeptMemory;
  readonly #pause: () => Promise<void>;
  readonly #known: ReadonlyMap<string, IndexFile>;

  /**
   * Indexes are read into the crew's memory, and it pauses between a repository's parts. `known` holds indexes of the
   * baseline: one with the same signature isn't read again.
   */
  constructor(
    exclude: ReadonlySet<BytePath>,
    crew: Pick<Crew, 'memory' | 'pause'>,
    known: ReadonlyMap<string, IndexFile> = new Map(),
  ) {
    this.#exclude = exclude;
    this.#memory = crew.memory;
    this.#pause = () => crew.pause();
    this.#known = known;
  }

  /** First: the repositories at or above the roots. */
  async addRoots(roots: readonly BytePath[]): Promise<void> {
    for (const root of roots) await this.#addPlace(placeAbove(root), { nested: false });
    this.#publish();
  }

  /** Then: those below them. */
  async addEntries(gitEntries: readonly BytePath[]): Promise<void> {
    for (const entry of gitEntries) await this.#addPlace(placeAt(parentOf(entry)), { nested: true });
    this.#publish();
  }

  /** Last, since where a work tree was seen it says more than what its repository knows of it. */
  async finish(): Promise<GitReading> {
    for (const [commonFolder, o] of this.#commonFolders) {
      this.#addRest(commonFolder, o);
      await this.#pause();
    }
    this.#publish();
    return this;
  }

  #publish(): void {
    this.states.splice(0, this.states.length, ...this.#states.values());
  }

  /** The repository of a work tree that lies in the scope. */
  async #addPlace(place: RepositoryPlace | undefined, o: { nested: boolean }): Promise<void> {
    if (place === undefined) return;
    const { gitFolder, commonFolder, workTree, linkText } = place;
    await this.#pause();
    this.#addCommon(commonFolder, { workTree: gitFolder === commonFolder ? workTree : null, nested: o.nested });
    if (!o.nested) this.ownTrees.add(workTree);
    if (!this.#commonFolders.has(commonFolder)) this.#commonFolders.set(commonFolder, o);
    await this.#pause();
    const state = this.#addCheckout(gitFolder, { commonFolder, workTree, linkText, nested: o.nested });
    await this.#pause();
    this.#addIndex(state);
  }

  /** A repository's other work trees, wherever they are, and its submodules' git folders. */
  #addRest(commonFolder: BytePath, o: { nested: boolean }): void {
    const folder = joinBytes(commonFolder, 'worktrees');
    for (const linked of namesIn(folder)) {
      const gitFolder = joinBytes(folder, linked);
      this.#addCheckout(gitFolder, { commonFolder, workTree: workTreeOf(gitFolder), linkText: null, nested: o.nested });
      this.#addModules(joinBytes(gitFolder, 'modules'));
    }
    const workTree = mainWorkTree(commonFolder);
    this.#addCheckout(commonFolder, { commonFolder, workTree, linkText: null, nested: o.nested });
    this.#addModules(joinBytes(commonFolder, 'modules'));
  }

  #addCommon(commonFolder: BytePath, o: { workTree: BytePath | null; nested: boolean }): void {
    const key = stateKey({ kind: 'common', gitFolder: commonFolder } as GitState); // only these two make the key
    if (this.#states.has(key)) return;
    const found = this.#findings();
    const format = readFormat(commonFolder);
    readCommonItems(commonFolder, format, found);
    this.#states.set(key, {
      gitFolder: commonFolder,
      repository: commonFolder,
      kind: 'common',
      workTree: o.workTree ?? mainWorkTree(commonFolder),
      nested: o.nested,
      objectFormat: format.objectFormat,
      items: found.items,
      problems: found.problems,
    });
  }

  #addCheckout(
    gitFolder: BytePath,
    o: { commonFolder: BytePath; workTree: BytePath | null; linkText: string | null; nested: boolean },
  ): GitState {
    const key = stateKey({ kind: 'checkout', gitFolder } as GitState); // only these two make the key
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const found = this.#findings();
    const format = readFormat(o.commonFolder);
    const isLinked = gitFolder !== o.commonFolder;
    readCheckoutItems(gitFolder, { isLinked, linkText: o.linkText, format }, found);
    const state: GitState = {
      gitFolder,
      repository: o.commonFolder,
      kind: 'checkout',
      workTree: o.workTree,
      nested: o.nested,
      objectFormat: format.objectFormat,
      items: found.items,
      problems: found.problems,
    };
    this.#states.set(key, state);
    return state;
  }

  /** Git folders of submodules: `modules/<name>`, where a name may hold slashes. */
  #addModules(folder: BytePath): void {
    for (const name of namesIn(folder)) {
      const path = joinBytes(folder, name);
      if (!isGitFolder(path)) {
        this.#addModules(path);
        continue;
      }
      this.#addCommon(path, { workTree: null, nested: true });
      this.#addCheckout(path, { commonFolder: path, workTree: null, linkText: null, nested: true });
      this.#addModules(joinBytes(path, 'modules'));
    }
  }

  #addIndex(state: GitState): void {
    const key = stateKey(state);
    const path = joinBytes(state.gitFolder, 'index');
    if (this.indexes.has(key) || state.problems.some((problem) => problem.path === path)) return;
    const { signature, mtimeNs } = signatureOf(path);
    const known = this.#known.get(key);
    if (known !== undefined && known.signature !== null && known.signature === signature) {
      this.indexes.set(key, known);
      return;
    }
    const file = readControlFile(path, this.#memory);
    if (file.kind === 'bytes') {
      const { bytes } = file;
      this.indexes.set(key, { bytes: () => bytes, digest: sha256Of(bytes), mtimeNs, signature });
    } else if (file.kind !== 'absent') {
      const reason = file.kind === 'problem' ? file.problem.reason : `git's index is no file (${file.value})`;
      this.#states.set(key, { ...state, problems: [...state.problems, { path, reason }] });
    }
  }

  #findings(): Findings {
    const problems: WalkProblem[] = [];
    return { items: {}, problems, exclude: this.#exclude };
  }
}

function signatureOf(path: BytePath): Pick<IndexFile, 'signature' | 'mtimeNs'> {
  const stat = lookAt(path);
  if (stat === undefined || isProblem(stat)) return { signature: null, mtimeNs: 0n };
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stat;
  const signature = hasFineTimes(parentOf(path)) ? [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ') : null;
  return { signature, mtimeNs };
}

function namesIn(folder: BytePath): readonly string[] {
  const names = readNames(folder);
  return isProblem(names) ? [] : names;
}

function workTreeOf(linkedFolder: BytePath): BytePath | null {
  const file = readControlFile(joinBytes(linkedFolder, 'gitdir'));
  if (file.kind !== 'bytes') return null;
  return parentOf(resolveBytes(linkedFolder, file.bytes.toString('latin1').trimEnd()));
}

function mainWorkTree(commonFolder: BytePath): BytePath | null {
  return commonFolder.endsWith('/.git') ? parentOf(commonFolder) : null;
}
