import picomatch from 'picomatch';
import { WritePolicyError } from '../errors.ts';
import { checkSegment, isActive, picomatchText, unescapeText } from './dialect.ts';

/**
 * A planned or scratch path below its root. Without a wildcard it means itself and everything below it; with one it
 * means what it matches and nothing below that, unless it ends in `/` or `/**`.
 */
export interface Pattern {
  /** As stored: normalized, relative to its root. */
  readonly text: string;
  readonly isGlob: boolean;
  /** The text taken literally: what a name such as `app/[id]/page.tsx` means beside its reading as a glob. */
  readonly literal: string;
  /** The folder above the first wildcard, unescaped; empty for the root. The whole literal where there is none. */
  readonly folder: string;
  readonly steps: readonly Step[];
}

/** One name of a pattern: any number of names (`**`), or a test of one. */
type Step = 'any-depth' | ((name: string) => boolean);

/**
 * Reads a pattern in our dialect: `*`, `?`, `[a-z]`, `[!a]` and `{a,b}` within one name, `**` as a whole name for any
 * number of names, `\` before a character that is meant literally; dots are ordinary, case counts, everything else
 * is literal. Each name is matched by picomatch (dot, nonegate, noextglob), the names among themselves by us in linear
 * time: a worker chooses the names that an audit matches, and must not be able to hang it.
 *
 * @param text relative, non-empty, without control characters
 * @throws WritePolicyError GLOB_INVALID
 */
export function parsePattern(text: string): Pattern {
  const names = normalizedNames(text);
  const firstGlob = names.findIndex(isActive);
  const literal = names.at(-1) === '**' ? names.slice(0, -1) : names;
  return {
    text: names.join('/'),
    isGlob: firstGlob !== -1,
    literal: firstGlob === -1 ? unescapeText(names.join('/')) : literal.join('/'),
    folder: unescapeText((firstGlob === -1 ? names : names.slice(0, firstGlob)).join('/')),
    steps: names.map((name) => stepOf(name, text)),
  };
}

/** Whether a path, as names below the pattern's root, is meant by the pattern. */
export function matchesPattern(pattern: Pattern, names: readonly string[]): boolean {
  if (isBelowLiteral(pattern, names)) return true;
  return pattern.isGlob && reached(pattern.steps, names).has(pattern.steps.length);
}

/** Whether something below a folder could be meant by the pattern. */
export function mayMatchBelow(pattern: Pattern, folder: readonly string[]): boolean {
  if (isBelowLiteral(pattern, folder) || isAbove(folder, pattern.literal)) return true;
  return pattern.isGlob && [...reached(pattern.steps, folder)].some((at) => at < pattern.steps.length);
}

/** The same, where a pattern of any depth speaks only for the folders above its first wildcard, not for every folder. */
export function leadsToPattern(pattern: Pattern, folder: readonly string[]): boolean {
  return pattern.steps.includes('any-depth') ? isAbove(folder, pattern.folder) : mayMatchBelow(pattern, folder);
}

function normalizedNames(text: string): readonly string[] {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new WritePolicyError('GLOB_INVALID', `"${text}" goes up with ".."`, { path: text });
  if (text.endsWith('/') && names.some(isActive) && names.at(-1) !== '**') names.push('**');
  return names.filter((name, at) => name !== '**' || names[at - 1] !== '**');
}

function stepOf(name: string, text: string): Step {
  if (name === '**') return 'any-depth';
  const problem = checkSegment(name);
  if (problem !== undefined) {
    throw new WritePolicyError('GLOB_INVALID', `"${text}" is no planned path: ${problem}`, {
      path: text,
      hint: 'put a backslash before a character that is meant literally',
    });
  }
  if (!isActive(name)) {
    const plain = unescapeText(name);
    return (seen) => seen === plain;
  }
  const matches = picomatch(picomatchText(name), { dot: true, nonegate: true, noextglob: true, flags: 's' });
  return (seen) => seen === name || matches(seen);
}

function isBelowLiteral(pattern: Pattern, names: readonly string[]): boolean {
  const path = names.join('/');
  return path === pattern.literal || path.startsWith(`${pattern.literal}/`);
}

function isAbove(folder: readonly string[], path: string): boolean {
  return `${path}/`.startsWith(folder.map((name) => `${name}/`).join(''));
}

/** How far along the pattern all names can have led. */
function reached(steps: readonly Step[], names: readonly string[]): ReadonlySet<number> {
  let at = closed(steps, [0]);
  for (const name of names) at = closed(steps, advance(steps, at, name));
  return at;
}

function* advance(steps: readonly Step[], from: ReadonlySet<number>, name: string): Iterable<number> {
  for (const at of from) {
    const step = steps[at];
    if (step === 'any-depth') yield at;
    else if (step?.(name) === true) yield at + 1;
  }
}

function closed(steps: readonly Step[], from: Iterable<number>): ReadonlySet<number> {
  const all = new Set<number>();
  for (const start of from) {
    all.add(start);
    for (let at = start; steps[at] === 'any-depth'; at += 1) all.add(at + 1);
  }
  return all;
}
