import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition; fails with `what` when it doesn't come. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadlineMs = performance.now() + 20_000;
  while (performance.now() < deadlineMs) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(15);
  }
  throw new Error(`never happened: ${what}`);
}
