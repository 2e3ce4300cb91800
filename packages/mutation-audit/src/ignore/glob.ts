/** One element of a path component's pattern: a byte, any byte, any run of bytes, or a set of bytes. */
type Token =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'run' }
  | { readonly kind: 'set'; readonly has: ReadonlySet<number>; readonly negated: boolean };

/** A component's pattern, or `deep` for `**` (any number of components). */
export type Component = readonly Token[] | 'deep';

/**
 * Compiles one component of a gitignore pattern (gitignore(5), wildmatch, git 2.39). Undefined where the pattern can match nothing,
 * as with a bracket that is never closed.
 */
export function compileComponent(text: string): Component | undefined {
  if (text === '**') return 'deep';
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'run') tokens.push({ kind: 'run' });
    } else if (char === '?') tokens.push({ kind: 'any' });
    else if (char === '[') {
      const set = readSet(text, at);
      if (set === undefined) return undefined;
      tokens.push(set.token);
      at = set.end;
    } else {
      if (char === '\\') at += 1;
      if (at >= text.length) return undefined;
      tokens.push({ kind: 'byte', byte: text.charCodeAt(at) });
    }
  }
  return tokens;
}

/** A pattern's components: cut at every `/` but one in a bracket, which stands for itself there (wildmatch, git 2.39). */
export function splitComponents(pattern: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '[') at = readSet(pattern, at)?.end ?? pattern.length;
    else if (char === '/') {
      pieces.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, pattern.slice(from)];
}

/** Whether a component matches a name. Takes time in proportion to pattern × name at most: a hostile pattern can't stall the audit. */
function matchesName(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let runToken = -1;
  let runAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current?.kind === 'run') {
      runToken = token;
      runAt = at;
      token += 1;
    } else if (current !== undefined && matchesByte(current, name.charCodeAt(at))) {
      at += 1;
      token += 1;
    } else if (runToken >= 0) {
      runAt += 1;
      at = runAt;
      token = runToken + 1;
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'run');
}

/** Whether components match the whole of a path's components; `**` stands for any number of them. */
export function matchesComponents(pattern: readonly Component[], path: readonly string[]): boolean {
  let at = 0;
  let piece = 0;
  let deepPiece = -1;
  let deepAt = 0;
  while (at < path.length) {
    const current = pattern[piece];
    if (current === 'deep') {
      deepPiece = piece;
      deepAt = at;
      piece += 1;
    } else if (current !== undefined && matchesName(current, path[at] ?? '')) {
      at += 1;
      piece += 1;
    } else if (deepPiece >= 0) {
      deepAt += 1;
      at = deepAt;
      piece = deepPiece + 1;
    } else return false;
  }
  // A closing `/**` matches what is below a folder, never the folder itself.
  return piece === pattern.length;
}

function matchesByte(token: Token, byte: number): boolean {
  if (token.kind === 'byte') return token.byte === byte;
  if (token.kind === 'set') return token.has.has(byte) !== token.negated;
  return true;
}

interface ReadSet {
  readonly token: Token;
  readonly end: number;
}

function readSet(text: string, from: number): ReadSet | undefined {
  let at = from + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at += 1;
  const has = new Set<number>();
  for (let first = true; ; first = false) {
    const char = text[at];
    if (char === undefined) return undefined;
    if (char === ']' && !first) return { token: { kind: 'set', has, negated }, end: at };
    const named = char === '[' ? /^\[:([a-z]*):\]/.exec(text.slice(at)) : null;
    if (named !== null) {
      const members = CLASSES[named[1] ?? ''];
      if (members === undefined) return undefined;
      for (let byte = 0; byte < 128; byte += 1) if (members.test(String.fromCharCode(byte))) has.add(byte);
      at += named[0].length;
      continue;
    }
    const next = addRange(text, at, has);
    if (next === undefined) return undefined;
    at = next;
  }
}

/** Adds a byte or a range of bytes; returns where to go on, or undefined where the text ends. */
function addRange(text: string, from: number, has: Set<number>): number | undefined {
  const low = literalAt(text, from);
  if (low === undefined) return undefined;
  if (text[low.next] !== '-' || text[low.next + 1] === ']' || text[low.next + 1] === undefined) {
    has.add(low.byte);
    return low.next;
  }
  const high = literalAt(text, low.next + 1);
  if (high === undefined) return undefined;
  for (let byte = low.byte; byte <= high.byte; byte += 1) has.add(byte);
  return high.next;
}

function literalAt(text: string, at: number): { byte: number; next: number } | undefined {
  const escaped = text[at] === '\\' ? 1 : 0;
  return at + escaped < text.length ? { byte: text.charCodeAt(at + escaped), next: at + escaped + 1 } : undefined;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};
