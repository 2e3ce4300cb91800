import { z } from 'zod';

/** What is wrong, where, and what to do about it. */
export const ErrorFields = z.strictObject({
  code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  message: z.string().min(1),
  path: z.string().min(1).optional(),
  hint: z.string().min(1).optional(),
  /** By code: what can be said besides. */
  details: z.looseObject({}).optional(),
});

/** What any command prints where it refuses or fails; beside the exit code it is all. */
export const ErrorDocument = z.strictObject({ error: ErrorFields });
