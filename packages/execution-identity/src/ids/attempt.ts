import { IdentityErrorCode } from '../errors.ts';
import { fieldError } from '../field-error.ts';
import { show } from '../show.ts';

/** Far above any real number of attempts; bounds the length of the ids made of it. */
export const MAX_ATTEMPT = 999_999;

/** An integer from 1 to MAX_ATTEMPT; `true`, `"1"` and 1.5 are none (ID-2). Throws ATTEMPT_INVALID. */
export function parseAttempt(value: unknown, where?: string): number {
  if (isAttempt(value)) return value;
  const said = `${show(value)} is not an attempt: it must be an integer from 1 to ${MAX_ATTEMPT}`;
  throw fieldError(IdentityErrorCode.attemptInvalid, said, { field: 'attempt', where });
}

/** True for exactly what parseAttempt returns. */
export function isAttempt(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_ATTEMPT;
}
