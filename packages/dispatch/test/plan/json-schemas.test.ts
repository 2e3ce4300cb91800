import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../src/schema.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');

describe('the published JSON Schemas', () => {
  it('are the ones generated from the schemas that decode, and no others; `pnpm run schemas` writes them', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(jsonSchemas()).sort());
    for (const [name, schema] of Object.entries(jsonSchemas()))
      expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
