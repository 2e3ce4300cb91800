/** The code that a promise rejects with; a failure where it doesn't. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  throw new Error('it did not reject');
}
