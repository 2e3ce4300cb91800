import { BindingV1, ModelPoolEntryV1 } from '@bailiwick/assignment-resolution/schema';
import { Role } from '@bailiwick/execution-identity';
import { z } from 'zod';
import { Count, Digest, document } from './document.ts';

export const ModelsListDocument = document({ hostId: BindingV1.shape.hostId, models: z.array(ModelPoolEntryV1) });

export const ModelsResolveDocument = document({
  role: z.enum(Role),
  ordinal: z.int().min(1),
  modelRef: ModelPoolEntryV1.shape.modelRef,
  providerId: ModelPoolEntryV1.shape.providerId,
  modelId: ModelPoolEntryV1.shape.modelId,
  binding: BindingV1,
  modelSpecDigest: Digest,
  /** The command that the config names for the provider; null where its own program is started. */
  command: z.array(z.string()).nullable(),
});

export const ModelsCheckDocument = document({
  holds: z.boolean(),
  rows: Count,
  findings: z.array(
    z.strictObject({
      row: Count,
      modelRef: z.string().optional(),
      issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    }),
  ),
});
