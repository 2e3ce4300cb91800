import { MutationAuditV1 } from '@bailiwick/mutation-audit/schema';
import { z } from 'zod';
import { Count, Digest, document } from './document.ts';
import { ErrorFields } from './error.ts';

/** `error` where the SARIF log could not be written. */
export const AuditExecDocument = document({
  command: z.array(z.string()).min(1),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  isInterrupted: z.boolean(),
  outlived: Count,
  isGone: z.boolean(),
  writePolicyDigest: Digest,
  audit: MutationAuditV1,
  error: ErrorFields.optional(),
});
