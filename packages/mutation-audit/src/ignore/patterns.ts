import { type Component, compileComponent, matchesComponents, splitComponents } from './glob.ts';

/** One line of an ignore file. */
export interface IgnorePattern {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  readonly components: readonly Component[];
}

/** Reads an ignore file (gitignore(5), git 2.39); lines that can match nothing are left out. One character per byte. */
export function parseIgnoreText(text: string): readonly IgnorePattern[] {
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map(parseLine)
    .filter((pattern) => pattern !== undefined);
}

/** Whether a pattern matches a path, given as components below the ignore file's folder. */
export function matchesPattern(pattern: IgnorePattern, path: readonly string[], isFolder: boolean): boolean {
  return (isFolder || !pattern.folderOnly) && matchesComponents(pattern.components, path);
}

function parseLine(raw: string): IgnorePattern | undefined {
  let line = withoutTrailingSpaces(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
  if (line === '' || line.startsWith('#')) return undefined;
  const negated = line.startsWith('!');
  if (negated) line = line.slice(1);
  const folderOnly = line.endsWith('/');
  if (folderOnly) line = line.slice(0, -1);
  const anchored = line.includes('/');
  if (line.startsWith('/')) line = line.slice(1);
  if (line === '') return undefined;
  const components: Component[] = anchored ? [] : ['deep'];
  for (const piece of splitComponents(line)) {
    // Without a slash `**` is no more than `*`.
    const component = compileComponent(anchored ? piece : piece.replaceAll(/\*+/g, '*'));
    if (component === undefined) return undefined;
    components.push(component);
  }
  if (components.at(-1) === 'deep') components.push([{ kind: 'run' }]);
  return { negated, folderOnly, components };
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}
