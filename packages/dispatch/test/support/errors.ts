/** The code of what `act` throws; `nothing` where it throws nothing. An error without a code is thrown on. */
export async function codeOf(act: () => unknown): Promise<string> {
  return Reflect.get(await errorOf(act), 'code');
}

/** The coded error that `act` throws. */
export async function errorOf(act: () => unknown): Promise<Error> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
