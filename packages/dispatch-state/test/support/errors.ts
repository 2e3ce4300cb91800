import { type DurableFileError, type DurableFileErrorCode, isDurableFileError } from '@bailiwick/durable-files';
import { type DispatchStateError, type DispatchStateErrorCode, isDispatchStateError } from '../../src/index.ts';

/** The error of this package that `act` ends with, which must be coded so. */
export async function errorOf(code: DispatchStateErrorCode, act: () => unknown): Promise<DispatchStateError> {
  const error = await failureOf(act);
  if (isDispatchStateError(error) && error.code === code) return error;
  throw error;
}

/** The error of durable-files that `act` ends with, which must be coded so. */
export async function fileErrorOf(code: DurableFileErrorCode, act: () => unknown): Promise<DurableFileError> {
  const error = await failureOf(act);
  if (isDurableFileError(error) && error.code === code) return error;
  throw error;
}

async function failureOf(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  return new Error('nothing was thrown');
}
