import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../src/schema.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');

describe('the published JSON Schemas', () => {
  it.each(Object.entries(jsonSchemas()))(
    '%s is what the schemas generate; `pnpm run schemas` writes it',
    (name, schema) => {
      expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );

  it('are all there and no others', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(jsonSchemas()).sort());
  });
});
