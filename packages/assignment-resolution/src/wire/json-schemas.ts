import { z } from 'zod';
import { BindingV1, ModelAliasesV1, ModelPoolEntryV1, ModelShorthandV1 } from './v1.ts';

/**
 * The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Rules across fields
 * (the ref's provider is `providerId`, one binding per host and runner) are beyond them.
 */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'binding-v1.json': published('Host-model binding', BindingV1),
    'model-pool-entry-v1.json': published('Model pool entry', ModelPoolEntryV1),
    'model-pool-addition-v1.json': published(
      'Model pool addition of a user',
      z.union([ModelPoolEntryV1, ModelShorthandV1, ModelAliasesV1]),
    ),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
