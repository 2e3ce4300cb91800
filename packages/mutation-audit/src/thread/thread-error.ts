import { isMutationAuditError, MutationAuditError } from '../errors.ts';
import type { ThreadError } from './protocol.ts';

/** An error as data. Anything unexpected becomes AUDIT_THREAD_FAILED and keeps its stack as text. */
export function toThreadError(error: unknown): ThreadError {
  if (isMutationAuditError(error)) {
    return {
      code: error.code,
      message: error.message,
      ...(error.path === undefined ? {} : { path: error.path }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    code: 'AUDIT_THREAD_FAILED',
    message: `The audit's thread failed: ${message}`,
    ...(stack === undefined ? {} : { stack }),
  };
}

/** The error again, on the other side. */
export function fromThreadError(data: ThreadError): MutationAuditError {
  return new MutationAuditError(data.code, data.message, {
    ...(data.path === undefined ? {} : { path: data.path }),
    ...(data.hint === undefined ? {} : { hint: data.hint }),
    ...(data.stack === undefined ? {} : { cause: data.stack }),
  });
}
