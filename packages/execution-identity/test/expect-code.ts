import { expect } from 'vitest';
import { IdentityError, type IdentityErrorCode } from '../src/index.ts';

/** What the call throws, which must be an IdentityError of that code. */
export function refusal(code: IdentityErrorCode, call: () => unknown): IdentityError {
  return expectIdentityError(code, thrownBy(call));
}

/** As refusal, for a call that rejects. */
export async function rejection(code: IdentityErrorCode, promise: Promise<unknown>): Promise<IdentityError> {
  return expectIdentityError(
    code,
    await promise.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

/** What the call throws, undefined when it returns. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

function expectIdentityError(code: IdentityErrorCode, error: unknown): IdentityError {
  expect(error).toBeInstanceOf(IdentityError);
  if (!(error instanceof IdentityError)) throw error;
  expect(error.code).toBe(code);
  return error;
}
