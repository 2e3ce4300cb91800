import { type KernelLock, tryLock } from '@bailiwick/durable-files';

/** How soon a pane takes over what another one let go of. */
const TAKE_OVER_EVERY_MS = 100;

/**
 * Sees to it that somebody of a batch holds its live lock as long as this runs: this process if it is free, now or later. Between
 * two holders it is free for a moment; that a supervisor lives is proven by the lock of its own pane.
 */
export function shareLock(path: string): () => void {
  let lock: KernelLock | undefined = tryLock(path);
  const timer = setInterval(() => {
    lock ??= tryLock(path);
  }, TAKE_OVER_EVERY_MS);
  return () => {
    clearInterval(timer);
    lock?.release();
  };
}
