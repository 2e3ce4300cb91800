import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemas } from '../../src/schema.ts';
import { fixturesOf } from '../fixtures.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');
const committed = readdirSync(folder).sort();
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('the published JSON Schemas', () => {
  it('are the ones generated from the schemas that decode (`pnpm run schemas` writes them)', () => {
    expect(committed).toEqual(Object.keys(jsonSchemas()).sort());
    for (const [name, schema] of Object.entries(jsonSchemas())) expect(read(name)).toEqual(schema);
  });

  const metadata = z.union([accepts('prompt-metadata-v1.json'), accepts('prompt-metadata-v2.json')]);
  const reservation = accepts('reservation-v2.json');

  it.each([...fixturesOf('v1', 'accept'), ...fixturesOf('v2', 'accept')])('accept $name', ({ document }) => {
    expect(metadata.safeParse(document).success).toBe(true);
  });

  it.each([...fixturesOf('v1', 'reject'), ...fixturesOf('v2', 'reject')])('refuse $name', ({ document }) => {
    expect(metadata.safeParse(document).success).toBe(false);
  });

  it.each(fixturesOf('reservation-v2', 'accept'))('accept $name', ({ document }) => {
    expect(reservation.safeParse(document).success).toBe(true);
  });

  it.each(fixturesOf('reservation-v2', 'reject'))('refuse $name', ({ document }) => {
    expect(reservation.safeParse(document).success).toBe(false);
  });
});

/** The committed schema as a validator of its own, made from nothing but its JSON. */
function accepts(name: string): z.ZodType {
  return z.fromJSONSchema(read(name));
}
