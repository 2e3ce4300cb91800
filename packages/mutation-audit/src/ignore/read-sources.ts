import { homedir } from 'node:os';
import { configValue, parseConfigText } from '../git/config-text.ts';
import { readControlFile } from '../git/control-file.ts';
import type { GitState } from '../git/git-state.ts';
import { parentOf, resolveBytes } from '../git/locate.ts';
import { type BytePath, toBytePath } from '../path-name.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import type { IgnoreSource } from './ignore-rules.ts';

/**
 * Reads the ignore rules of every work tree among `states`, as they stand now. `ignoreFiles` are the `.gitignore`s that the walk found;
 * those of the folders between a work tree and a root inside it are read here.
 */
export function readIgnoreSources(
  states: readonly GitState[],
  ignoreFiles: readonly BytePath[],
  o: { roots: readonly BytePath[]; ownTrees: ReadonlySet<BytePath> },
): readonly IgnoreSource[] {
  const trees = new Map<BytePath, { commonFolder: BytePath; files: [BytePath, string][] }>();
  for (const state of states) {
    if (state.kind === 'checkout' && state.workTree !== null) {
      trees.set(state.workTree, { commonFolder: state.repository, files: [] });
    }
  }
  for (const path of new Set([...ignoreFiles, ...rulesAbove(o.roots, trees)])) {
    const tree = innermost(parentOf(path), trees);
    const text = tree === undefined ? undefined : textOf(path);
    if (text !== undefined) tree?.files.push([parentOf(path), text]);
  }
  return [...trees].map(([workTree, { commonFolder, files }]) => ({
    workTree,
    isOwn: o.ownTrees.has(workTree),
    shared: sharedRules(commonFolder),
    files,
  }));
}

function rulesAbove(roots: readonly BytePath[], trees: ReadonlyMap<BytePath, unknown>): readonly BytePath[] {
  const paths: BytePath[] = [];
  for (const root of roots) {
    const above: BytePath[] = [];
    for (let at = root; at !== '/' && !trees.has(at); at = parentOf(at))
      above.push(joinBytes(parentOf(at), '.gitignore'));
    if (above.some((path) => trees.has(parentOf(path)))) paths.push(...above);
  }
  return paths;
}

function innermost<T>(folder: BytePath, trees: ReadonlyMap<BytePath, T>): T | undefined {
  for (let at = folder; ; at = parentOf(at)) {
    const tree = trees.get(at);
    if (tree !== undefined || at === '/') return tree;
  }
}

function sharedRules(commonFolder: BytePath): readonly string[] {
  return [textOf(userExcludesFile(commonFolder)), textOf(joinBytes(commonFolder, 'info/exclude'))].filter(
    (text) => text !== undefined,
  );
}

/** `core.excludesFile` of the repository or the user, else git's default place. */
function userExcludesFile(commonFolder: BytePath): BytePath {
  const home = toBytePath(homedir());
  for (const config of [`${commonFolder}/config`, `${home}/.gitconfig`, `${home}/.config/git/config`]) {
    const named = configValue(parseConfigText(textOf(config) ?? ''), 'core', 'excludesfile');
    if (named !== undefined) return named.startsWith('~/') ? home + named.slice(1) : resolveBytes(commonFolder, named);
  }
  return `${home}/.config/git/ignore`;
}

function textOf(path: BytePath): string | undefined {
  const file = readControlFile(path);
  return file.kind === 'bytes' && file.bytes.length <= MAX_RULES_BYTES ? file.bytes.toString('latin1') : undefined;
}

const MAX_RULES_BYTES = 4 * 1024 * 1024;
