import type { GitPart } from '../model.ts';
import type { BytePath } from '../path-name.ts';
import type { WalkProblem } from '../tree/folder-reader.ts';

/** The state of one git folder by meaning, as plain JSON. */
export interface GitState {
  /** The git folder that was read. */
  readonly gitFolder: BytePath;
  /** The folder with refs, objects and config: the same for all work trees of one repository. */
  readonly repository: BytePath;
  /** `common`: what all work trees share. `checkout`: what one work tree has of its own. */
  readonly kind: 'common' | 'checkout';
  /** Null where no work tree is known. */
  readonly workTree: BytePath | null;
  readonly nested: boolean;
  readonly objectFormat: 'sha1' | 'sha256';
  /** `<part> <name>` → value. */
  readonly items: Readonly<Record<string, string>>;
  readonly problems: readonly WalkProblem[];
}

/** Key of an item. */
export function itemKey(part: GitPart, name: string): string {
  return `${part} ${name}`;
}

/** Part and name of a key. */
export function splitItemKey(key: string): { part: GitPart; name: string } {
  const cut = key.indexOf(' ');
  // Keys are made by itemKey alone.
  return { part: key.slice(0, cut) as GitPart, name: key.slice(cut + 1) };
}

/** Key of a state: one git folder may have a shared and an own part. */
export function stateKey(state: GitState): string {
  return `${state.kind} ${state.gitFolder}`;
}
