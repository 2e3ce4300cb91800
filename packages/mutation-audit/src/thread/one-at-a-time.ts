/** A queue of works of which one runs at a time, in the order in which they came. */
export interface Turnstile {
  /** Rejects with `signal.reason` where it is aborted before its turn; the work isn't begun then. */
  pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve();
  return {
    async pass(work, signal) {
      const before = last;
      const own = Promise.withResolvers<void>();
      // One that gives up its place still stands behind those before it.
      last = before.then(() => own.promise);
      try {
        await orAborted(before, signal);
        return await work();
      } finally {
        own.resolve();
      }
    },
  };
}

async function orAborted(waiting: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return waiting;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([waiting, aborted.promise]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
