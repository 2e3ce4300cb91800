import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemas } from '../../src/schema.ts';
import { acceptedOf, type Format, rejectedOf } from '../support/fixtures.ts';

const folder = join(import.meta.dirname, '..', '..', 'schema');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A published schema as a validator, read back from its text: nothing is taken from the schemas that it was generated from. */
function validatorOf(name: string): z.ZodType {
  // JSON Schema reads patterns with the `u` flag, zod's reader doesn't: it needs the classes spelled out.
  const text = textOf(name)
    .replaceAll('\\\\p{Cc}', '\\\\u0000-\\\\u001f\\\\u007f-\\\\u009f')
    .replaceAll('\\\\p{Cs}', '');
  return z.fromJSONSchema(JSON.parse(text));
}

describe('the published JSON Schemas', () => {
  it.each(Object.entries(jsonSchemas()))(
    '%s is what the schemas generate; `pnpm run schemas` writes it',
    (name, schema) => {
      expect(JSON.parse(textOf(name))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );

  it('are all there and no others', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(jsonSchemas()).sort());
  });
});

const files: readonly (readonly [Format, string])[] = [
  ['dispatch-record', 'dispatch-record-v2.json'],
  ['error-row', 'error-row-v1.json'],
  ['invocation', 'invocation-v1.json'],
  ['lead-event', 'lead-event-v1.json'],
  ['run-manifest', 'run-manifest-v2.json'],
  ['selection', 'selection-v1.json'],
  ['status-sidecar', 'status-sidecar-v1.json'],
  ['stop-intent', 'stop-intent-v1.json'],
  ['supervision-order', 'supervision-order-v1.json'],
  ['team-state', 'team-state-v1.json'],
  ['unaudited-record', 'dispatch-record-v1.json'],
];

describe.each(files)('the JSON Schema of %s', (format, file) => {
  const schema = validatorOf(file);

  it('accepts the accepted documents of the corpus', () => {
    const refused = acceptedOf(format).filter(({ document }) => !schema.safeParse(document).success);
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  it('refuses the refused ones, but for those that only a rule across fields refuses', () => {
    for (const { name, document, expect: reason } of rejectedOf(format))
      expect({ name, accepted: schema.safeParse(document).success }).toEqual({ name, accepted: reason.by === 'rule' });
  });
});
