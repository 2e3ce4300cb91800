import { createHash } from 'node:crypto';
import { type GitState, itemKey, splitItemKey, stateKey } from '../git/git-state.ts';
import { IndexUnreadable, parseIndex } from '../git/index-file.ts';
import type { IndexFile } from '../git/read-states.ts';
import type { GitProjection, RepositoryProjection } from '../model.ts';
import { displayPath, toPathName } from '../path-name.ts';
import { type GitSide, meanings } from './observe-git.ts';

/** Git's state of both times in digests, one row per checkout. */
export function projectGit(before: GitSide, after: GitSide): { before: GitProjection; after: GitProjection } {
  return { before: project(before, after), after: project(after, before) };
}

function project(side: GitSide, other: GitSide): GitProjection {
  const commons = new Map(side.states.filter(({ kind }) => kind === 'common').map((state) => [state.gitFolder, state]));
  return {
    repositories: side.states
      .filter(({ kind }) => kind === 'checkout')
      .map((state) => projectCheckout(state, { common: commons.get(state.repository), side, other })),
  };
}

function projectCheckout(
  state: GitState,
  { common, side, other }: { common: GitState | undefined; side: GitSide; other: GitSide },
): RepositoryProjection {
  const items = { ...common?.items, ...state.items };
  const head = items[itemKey('head', 'HEAD')] ?? null;
  const branch = head?.startsWith('ref: ') === true ? head.slice('ref: '.length) : undefined;
  const key = stateKey(state);
  return {
    root: displayPath(toPathName(state.workTree ?? state.gitFolder)),
    repository: displayPath(toPathName(state.repository)),
    head: head === null ? null : displayPath(toPathName(head)),
    tip: (branch === undefined ? head : items[itemKey('ref', branch)]) ?? null,
    refs: digestItems(items, (part) => part === 'ref' || part === 'stash'),
    index: projectIndex(state, side.indexes.get(key), other.indexes.get(key)),
    control: digestItems(items, (part) => part !== 'ref' && part !== 'stash' && part !== 'head'),
  };
}

function digestItems(items: Readonly<Record<string, string>>, wanted: (part: string) => boolean): string {
  const lines = Object.entries(items)
    .filter(([key]) => wanted(splitItemKey(key).part))
    .map(([key, value]) => `${key}\0${value}\n`)
    .sort();
  return `sha256:${createHash('sha256').update(lines.join(''), 'latin1').digest('hex')}`;
}

function projectIndex(state: GitState, file: IndexFile | undefined, other: IndexFile | undefined): string {
  if (file === undefined) return 'absent';
  if (other !== undefined && file.digest === other.digest) return 'unchanged';
  try {
    const index = parseIndex(file.bytes(), state.objectFormat === 'sha256' ? 32 : 20);
    const seal = createHash('sha256');
    for (const [path, meaning] of meanings(index)) seal.update(`${path}\0${meaning}\n`, 'latin1');
    return `sha256:${seal.digest('hex')}`;
  } catch (error) {
    if (!(error instanceof IndexUnreadable || error instanceof RangeError)) throw error;
    return 'unreadable';
  }
}
