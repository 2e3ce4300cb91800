import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemas } from '../../src/schema.ts';
import { wireFixtures } from '../support/wire-fixtures.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('the published JSON Schemas', () => {
  it('are the ones generated from the schemas that decode (`pnpm run schemas` writes them)', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(jsonSchemas()).sort());
    for (const [name, schema] of Object.entries(jsonSchemas())) expect(read(name)).toEqual(schema);
  });

  describe.each(['envelope-v1', 'statement-v1'] as const)('of %s', (format) => {
    // Made from nothing but the committed JSON.
    const schema = z.fromJSONSchema(read(`seal-${format}.json`));
    const rejected = wireFixtures(format, 'reject').filter(({ expect: reason }) => reason?.beyondSchema !== true);

    it.each(wireFixtures(format, 'accept'))('accept $description ($name)', ({ document }) => {
      expect(schema.safeParse(document).success).toBe(true);
    });

    it.each(rejected)('refuse $description ($name)', ({ document }) => {
      expect(schema.safeParse(document).success).toBe(false);
    });
  });
});
