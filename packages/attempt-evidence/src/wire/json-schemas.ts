import { z } from 'zod';
import { PendingSealsV1, SealEnvelopeV1, SealStatementV1 } from './v1.ts';

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Rules across fields are beyond them. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'pending-seals-v1.json': published('Seals that are appended together', PendingSealsV1),
    'seal-envelope-v1.json': published('Envelope of an evidence seal', SealEnvelopeV1),
    'seal-statement-v1.json': published('Statement of an evidence seal', SealStatementV1),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
