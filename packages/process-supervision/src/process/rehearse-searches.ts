import { findAttemptProcesses } from './end-tree.ts';

/** Workers that end sooner need no rehearsal: their ends are not waited for long. */
const AFTER_MS = 50;
/** Time for several searches: one alone leaves the next ones slow. */
const FOR_MS = 60;
const NOBODYS_FENCE = 'nobody';

/**
 * Searches for processes of nobody, some time from now: the first searches of a supervisor take several times as long as those that come
 * later, and better they do so now than when a worker has ended. Returns what calls the rest off.
 */
export function rehearseSearches(): () => void {
  const over = new AbortController();
  // Whether processes can be listed at all is told when it matters.
  const timer = setTimeout(() => void rehearse(over.signal).catch(() => undefined), AFTER_MS);
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}

async function rehearse(over: AbortSignal): Promise<void> {
  const endsAtMs = performance.now() + FOR_MS;
  while (!over.aborted && performance.now() < endsAtMs) await findAttemptProcesses(NOBODYS_FENCE);
}
