import { z } from 'zod';
import { SchemaExcerptV1 } from './schema-excerpt-v1.ts';

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return { 'schema-excerpt-v1.json': published('Schema excerpt of a prompt', SchemaExcerptV1) };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
