/** One line of a git configuration file: section and key in lower case, subsection as written. */
export interface ConfigEntry {
  readonly section: string;
  readonly subsection: string | null;
  readonly key: string;
  readonly value: string;
}

/**
 * Reads a git configuration file (git-config(1), "Syntax", git 2.39) as text: includes are not followed and nothing is run.
 * What git would refuse is passed over: we only look single keys up, and equality is judged on the bytes.
 */
export function parseConfigText(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = '';
  let subsection: string | null = null;
  for (const line of text.replaceAll(/\\\r?\n/g, '').split('\n')) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase();
      subsection = header[2] === undefined ? null : header[2].replaceAll(/\\(.)/g, '$1');
    }
    const rest = header === null ? line : line.slice(header[0].length);
    const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(rest);
    if (pair === null) continue;
    entries.push({ section, subsection, key: (pair[1] ?? '').toLowerCase(), value: unquote(pair[2] ?? 'true') });
  }
  return entries;
}

/** The last value of `section.key` without subsection, or undefined. */
export function configValue(entries: readonly ConfigEntry[], section: string, key: string): string | undefined {
  return entries.findLast((row) => row.section === section && row.subsection === null && row.key === key)?.value;
}

function unquote(raw: string): string {
  let text = '';
  let quoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === '\\') {
      at += 1;
      const escaped = raw.charAt(at);
      text += { n: '\n', t: '\t', b: '\b' }[escaped] ?? escaped;
    } else if (!quoted && (char === '#' || char === ';')) break;
    else text += char;
  }
  return quoted ? text : text.trimEnd();
}
