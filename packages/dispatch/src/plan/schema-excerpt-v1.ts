import { Role } from '@bailiwick/execution-identity';
import { z } from 'zod';

/** `<prompt>.schema.json`, version 1.0. */
export const SchemaExcerptV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  madeBy: z.string().min(1),
  role: z.enum(Role),
  excerpt: z.string().min(1),
});
