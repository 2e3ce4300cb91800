import { z } from 'zod';

/** `run-context.json`, version 1.0. */
export const RunContextV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  translationLanguage: z.string().nullable(),
  minimumModelSource: z.enum(['wire', 'stream', 'transcript']).nullable(),
  maxCostUsd: z.number().positive().exactOptional(),
});
