import { readFile } from 'node:fs/promises';
import { callMutations } from './call-mutations.ts';
import { constantMutations } from './constant-mutations.ts';
import { expressionMutations } from './expression-mutations.ts';
import type { FailingPlace } from './failing-places.ts';
import { isTestFile } from './failing-places.ts';
import { applyMutation, type Mutation, type MutationFamily } from './mutation.ts';
import { operatorMutations } from './operator-mutations.ts';
import { findSuspectFiles } from './suspect-files.ts';
import { tokenize } from './tokens.ts';

/** One edit worth a test run. */
export interface Candidate {
  readonly file: string;
  readonly source: string;
  readonly mutated: string;
  readonly line: number;
}

interface RankedCandidate extends Candidate {
  readonly rank: readonly number[];
}

const FAMILIES: readonly MutationFamily[] = [operatorMutations, constantMutations, callMutations, expressionMutations];
/** How far around a failing line its test's words are looked at. */
const LINES_AROUND = 4;
const DECLARATION =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?|const|let|var|class)\s+([\w$]+)|^\s+(?:static\s+|async\s+|get\s+|set\s+)*#?([\w$]+)\s*\([^()]*\)\s*\{\s*$/gm;
const NO_DECLARATION = new Set(['if', 'for', 'while', 'switch', 'catch', 'function', 'return']);

/**
 * All single small edits of the suspect files, the most promising first. An edit is the more promising the nearer it
 * is to the failing test (in a declaration that the test names, in what such a one names, elsewhere) and the commoner
 * its kind of bug; where both weigh the same, the kind counts.
 */
export async function findCandidates(places: readonly FailingPlace[], cwd: string): Promise<readonly Candidate[]> {
  const files = await findSuspectFiles(places, cwd);
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const named = await wordsAtFailure(places, cwd);
  const near = wordsOfDeclarations(sources, named);
  const ranked = files.flatMap((file, index) => {
    const source = sources[index] ?? '';
    const nameAt = declarationsOf(source);
    return mutationsOf(source).map((mutation): RankedCandidate => {
      const name = nameAt(mutation.start);
      const distance = named.has(name) ? 0 : near.has(name) ? 1 : 2;
      const line = source.slice(0, mutation.start).split('\n').length;
      return {
        file,
        source,
        mutated: applyMutation(source, mutation),
        line,
        rank: [distance + mutation.rarity, mutation.rarity, index],
      };
    });
  });
  return ranked.sort((one, other) => compareRanks(one.rank, other.rank));
}

function mutationsOf(source: string): readonly Mutation[] {
  const tokens = tokenize(source);
  const mutations = FAMILIES.flatMap((family) => family(source, tokens));
  const unique = new Map(mutations.map((mutation) => [applyMutation(source, mutation), mutation]));
  unique.delete(source);
  return [...unique.values()];
}

async function wordsAtFailure(places: readonly FailingPlace[], cwd: string): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const { file, line } of places) {
    if (line === undefined || !isTestFile(file, cwd)) continue;
    const lines = (await readFile(file, 'utf8'))
      .split('\n')
      .slice(Math.max(0, line - 1 - LINES_AROUND), line + LINES_AROUND);
    for (const [word] of lines.join('\n').matchAll(/[\w$]+/g)) words.add(word);
  }
  return words;
}

/** The words inside those declarations of the sources whose names are given. */
function wordsOfDeclarations(sources: readonly string[], names: ReadonlySet<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const source of sources) {
    const nameAt = declarationsOf(source);
    for (const match of source.matchAll(/[\w$]+/g)) if (names.has(nameAt(match.index))) words.add(match[0]);
  }
  return words;
}

/** Which declaration an offset lies in: the last one that begins before it. */
function declarationsOf(source: string): (offset: number) => string {
  const starts = [...source.matchAll(DECLARATION)]
    .map((match) => ({ at: match.index, name: match[1] ?? match[2] ?? '' }))
    .filter(({ name }) => !NO_DECLARATION.has(name));
  return (offset) => starts.findLast(({ at }) => at <= offset)?.name ?? '';
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, position) => value !== other[position]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
