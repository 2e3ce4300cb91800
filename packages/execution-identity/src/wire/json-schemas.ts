import { z } from 'zod';
import { PromptMetadataV1Document, PromptMetadataV2Document } from './prompt-metadata.ts';
import { ReservationV2Document } from './reservation.ts';

/**
 * The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Rules across fields
 * (agreement with the run manifest, TR-3) are beyond them.
 */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'prompt-metadata-v1.json': published('Prompt metadata, first generation', PromptMetadataV1Document),
    'prompt-metadata-v2.json': published('Prompt metadata, second generation', PromptMetadataV2Document),
    'reservation-v2.json': published('Reservation', ReservationV2Document),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
