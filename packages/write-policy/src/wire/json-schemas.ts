import { z } from 'zod';
import { WriteEnforcementV1, WritePolicyV1 } from './v1.ts';

/**
 * The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. What a schema can't say (places, roles,
 * what a boundary can hold) is beyond them.
 */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'write-enforcement-v1.json': published('Write enforcement', WriteEnforcementV1),
    'write-policy-v1.json': published('Write policy', WritePolicyV1),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
