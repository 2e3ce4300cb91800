/** As `Promise.all` of both; after a failure it waits for the other one, so that nothing goes on behind the caller's back. */
export async function bothEnded<A, B>(one: Promise<A>, other: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** So many keep a disk busy; more would only cost memory and descriptors. */
const AT_ONCE = 16;

/**
 * What `work` makes of each item, in their order; a few are under way at once, since each waits for the disk. After a failure none is
 * begun any more; it is thrown when all that were under way have ended, so that the caller cleans up behind nobody's back.
 */
export async function mapSeveral<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const failure of failures) throw failure;
  return results;
}
