const KEEP_ALIVE_MS = 1_000_000;

/** Never resolves, and keeps the process alive. */
export function forever(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, KEEP_ALIVE_MS));
}
