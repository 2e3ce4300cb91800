import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '..', 'dist');
const CHUNKS = new Map(readdirSync(DIST).map((name) => [name, readFileSync(join(DIST, name), 'utf8')]));

/** What is loaded with a chunk: itself, and whatever it imports before it runs. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, imported = ''] of (CHUNKS.get(name) ?? '').matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
    loadedWith(imported, seen);
  return seen;
}

/** Words of the MCP library that no bundler changes. */
const ITS_MARK = 'notifications/cancelled';

it('the MCP library is loaded by `bailiwick mcp` alone', () => {
  const holders = [...CHUNKS].filter(([, code]) => code.includes(ITS_MARK)).map(([name]) => name);
  expect(holders.length).toBeGreaterThan(0);
  const loaders = [...CHUNKS.keys()].filter((name) => holders.some((holder) => loadedWith(name).has(holder)));
  expect(loaders.filter((name) => !/^mcp-/.test(name) && !holders.includes(name))).toEqual([]);
  expect(loadedWith('main.js').size).toBeGreaterThan(0);
});
