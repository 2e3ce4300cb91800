import { parseAttempt } from './attempt.ts';
import {
  type DispatchId,
  type InvocationId,
  type InvocationRef,
  parseDispatchId,
  parseInvocationId,
  parseInvocationRef,
} from './ids.ts';

const ATTEMPT_MARK = ':attempt-';

/** `<invocationId>:attempt-<n>` (ID-5), the only way to make a dispatch id. Throws INVOCATION_ID_INVALID, ATTEMPT_INVALID. */
export function buildDispatchId(invocationId: InvocationId, attempt: number): DispatchId {
  return parseDispatchId(`${parseInvocationId(invocationId)}${ATTEMPT_MARK}${parseAttempt(attempt)}`);
}

/** The parts that buildDispatchId joined; they are unambiguous, since only the last mark counts. Throws DISPATCH_ID_INVALID. */
export function splitDispatchId(id: DispatchId): { invocationId: InvocationId; attempt: number } {
  const text = parseDispatchId(id);
  const at = text.lastIndexOf(ATTEMPT_MARK);
  return {
    invocationId: parseInvocationId(text.slice(0, at)),
    attempt: parseAttempt(Number(text.slice(at + ATTEMPT_MARK.length))),
  };
}

/** The key of an attempt's evidence seal, `<invocationRef>:seal-<n>` (ID-5). Throws INVOCATION_REF_INVALID, ATTEMPT_INVALID. */
export function sealKeyOf(invocationRef: InvocationRef, attempt: number): string {
  return `${parseInvocationRef(invocationRef)}:seal-${parseAttempt(attempt)}`;
}

/** The invocation id that an attempt of ours gets, `<invocationRef>~<n>`; the same each time it is asked for. */
export function invocationIdOf(invocationRef: InvocationRef, attempt: number): InvocationId {
  return parseInvocationId(`${parseInvocationRef(invocationRef)}~${parseAttempt(attempt)}`);
}
