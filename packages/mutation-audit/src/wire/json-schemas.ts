import { z } from 'zod';
import { MutationAuditV1 } from './v1.ts';

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Snapshots are no JSON and have none. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return { 'mutation-audit-v1.json': published('Mutation audit', MutationAuditV1) };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
