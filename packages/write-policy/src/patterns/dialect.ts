/** What has a meaning of its own unless a backslash stands before it. */
const SPECIAL = new Set('*?[]{}\\');

/** What picomatch would read as something else than itself. */
const LITERAL_FOR_US = new Set('()|+@!^$"');

/** Stars and groups per name. A regular expression's worst case grows with their number; no real pattern needs more. */
const MAX_STARS = 3;
const MAX_GROUPS = 3;

/** Whether a name holds a wildcard that no backslash takes away. */
export function isActive(name: string): boolean {
  return tokens(name).some((token) => token.length === 1 && '*?[{'.includes(token));
}

/** A text as a pattern that means just it. */
export function escapeText(text: string): string {
  return Array.from(text, (char) => (SPECIAL.has(char) ? `\\${char}` : char)).join('');
}

/** A text without the backslashes that only took a meaning away. */
export function unescapeText(text: string): string {
  return tokens(text)
    .map((token) => (token.length === 2 && token.startsWith('\\') ? token.slice(1) : token))
    .join('');
}

/** The characters of a pattern up to its first special one, escapes included: every match begins with them. */
export function literalStart(text: string): string {
  const end = Array.from(text).findIndex((char) => SPECIAL.has(char));
  return end === -1 ? text : Array.from(text).slice(0, end).join('');
}

/** What is wrong with one name of a pattern, or undefined. */
export function checkSegment(name: string): string | undefined {
  const found = tokens(name);
  if (found.at(-1) === '\\') return 'it has a backslash with nothing after it';
  if (!isActive(name)) return undefined;
  if (/\{[^{}]*\.\.[^{}]*\}/.test(name)) return 'ranges such as {1..3} are not part of the dialect';
  if (found.filter((token) => token === '*').length > MAX_STARS) return `a name has more than ${MAX_STARS} stars`;
  if (found.filter((token) => token === '{').length > MAX_GROUPS) return `a name has more than ${MAX_GROUPS} groups`;
  return balanceProblem(found);
}

/** One name of our dialect as picomatch reads it. */
export function picomatchText(name: string): string {
  let inClass = false;
  let out = '';
  for (const [at, token] of tokens(name).entries()) {
    const opens = token === '[' && !inClass;
    if (token === '!' && inClass && out.endsWith('[')) out += '^';
    else out += LITERAL_FOR_US.has(token) && !inClass ? `\\${token}` : token;
    if (opens) inClass = true;
    else if (token === ']' && at > 0) inClass = false;
  }
  return out;
}

/** A text as characters, each with the backslash before it. */
function tokens(text: string): readonly string[] {
  return text.match(/\\[^/]|[\s\S]/gu) ?? [];
}

function balanceProblem(found: readonly string[]): string | undefined {
  let depth = 0;
  let inClass = false;
  for (const token of found) {
    if (inClass) inClass = token !== ']';
    else if (token === '[') inClass = true;
    else if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    if (depth < 0) break;
  }
  if (inClass) return 'it has a "[" without "]"';
  return depth === 0 ? undefined : 'its braces are not closed within one name (no "/" inside braces)';
}
