import { documentIssuesOf } from '@bailiwick/durable-files';
import type { z } from 'zod';
import { MutationAuditError } from '../errors.ts';
import type { AuditViolation, EncodedAudit, MutationAudit } from '../model.ts';
import { MutationAuditV1 } from './v1.ts';

export { MutationAuditV1 } from './v1.ts';

/** The audit as plain JSON, for embedding in a record: `decodeAudit` gives back an equal one. */
export function encodeAudit(audit: MutationAudit): EncodedAudit {
  // A parsed audit holds only strings, booleans, nulls, arrays and objects of these.
  return MutationAuditV1.parse(audit) as EncodedAudit;
}

/**
 * Reads an audit that `encodeAudit` wrote. `where` names the place for the message.
 * Throws `AUDIT_INVALID` with the bad places as JSON pointers in `issues`.
 */
export function decodeAudit(value: unknown, where: string): MutationAudit {
  const parsed = MutationAuditV1.safeParse(value);
  if (!parsed.success) throw invalidAudit(parsed.error, where);
  const { violations, ...rest } = parsed.data;
  return { ...rest, violations: violations.map(toViolation) };
}

function toViolation(row: z.infer<typeof MutationAuditV1>['violations'][number]): AuditViolation {
  const { path, ...rest } = row;
  return path === undefined ? rest : { ...rest, path };
}

function invalidAudit(error: z.ZodError, where: string): MutationAuditError {
  const issues = documentIssuesOf(error.issues);
  const listed = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new MutationAuditError('AUDIT_INVALID', `The mutation audit in ${where} does not fit its schema: ${listed}`, {
    issues,
    cause: error,
    hint: 'Inspect the record; it was not written by this version.',
  });
}
