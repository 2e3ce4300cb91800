/**
 * Waits until every one has come to an end, then throws what the first that failed threw: nothing is under way any more when the caller
 * cleans up. Together because each waits for the disk, which flushes many as quickly as one.
 */
export async function allDone(promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
