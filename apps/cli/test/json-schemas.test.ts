import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemas, PRINTED } from '../src/documents/json-schemas.ts';
import { runMain } from './support/run-node.ts';
import { tempFolder } from './support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'schema');

/** Names of the commands below a command, as its help lists them. */
async function commandsBelow(words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runMain(tempFolder(), [...words, '--help']);
  const [, listed = ''] = stdout.split(/^Commands:$/m);
  return [...listed.matchAll(/^ {2}([a-z]\S*)/gm)].flatMap(([, name]) =>
    name === undefined || name === 'help' ? [] : [[...words, name].join(' ')],
  );
}

describe('the published JSON Schemas', () => {
  it.each(Object.entries(jsonSchemas()))(
    '%s is what the schemas generate; `pnpm run schemas` writes it',
    (name, schema) => {
      expect(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );

  it('are all there and no others', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(jsonSchemas()).sort());
  });

  it('are shipped, each under a path of the package', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest.files).toContain('schema');
    expect(manifest.exports['./schema/*.json']).toBe('./schema/*.json');
  });

  it('are there for every command', async () => {
    const first = await commandsBelow([]);
    const second = await Promise.all(first.map((name) => commandsBelow([name])));
    const leaves = first.flatMap((name, at) => (second[at]?.length ? second[at] : [name]));
    expect(leaves.length).toBeGreaterThan(15);
    const described = Object.values(PRINTED).flatMap(({ commands }) => commands);
    // `mcp` speaks the protocol's own messages on stdout, and has no --json.
    expect(leaves.filter((name) => !described.includes(name))).toEqual(['mcp']);
  });

  it('are in nothing that a command loads: what it prints is tied to them by its types', () => {
    const built = readdirSync(join(ROOT, 'dist')).map((name) => readFileSync(join(ROOT, 'dist', name), 'utf8'));
    expect(built.length).toBeGreaterThan(10);
    expect(built.filter((code) => code.includes('What is printed with --json by'))).toEqual([]);
  });
});
