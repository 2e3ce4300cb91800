import { setTimeout as delay } from 'node:timers/promises';
import { DurableFileError } from './errors.ts';
import { type KernelLock, tryLock } from './kernel-lock.ts';

/** Far longer than any critical section of ours, short enough that a person still waits. */
export const DEFAULT_LOCK_TIMEOUT_MS = 30_000;
/** A free lock is taken within this; a try costs a tenth of a millisecond. */
export const DEFAULT_LOCK_POLL_MS = 25;

/** How long, and how eagerly, a lock is waited for. */
export interface LockOptions {
  /** Default 30 s; 0 tries once. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The longest pause between two tries; the first are closer together. Default 25 ms. */
  readonly pollEveryMs?: number;
}

/**
 * Waits for a lock. No order among those who wait.
 *
 * @throws DurableFileError LOCK_TIMEOUT, else as `tryLock`; the signal's reason when it is aborted
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<KernelLock> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS;
  const deadlineMs = performance.now() + timeoutMs;
  const longestMs = options.pollEveryMs ?? DEFAULT_LOCK_POLL_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    options.signal?.throwIfAborted();
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) throw timedOut(path, timeoutMs);
    await pause(Math.min(spread(pauseMs), leftMs), options.signal);
  }
}

/**
 * Does some work while holding a lock, and gives the lock back whatever comes of it. Throws as `acquireLock` and as
 * the work does.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(path, options);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

// Those who began to wait together shouldn't go on trying together.
function spread(pauseMs: number): number {
  return pauseMs * (0.5 + Math.random());
}

async function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(forMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function timedOut(path: string, timeoutMs: number): DurableFileError {
  return new DurableFileError('LOCK_TIMEOUT', `somebody else has held the lock for ${timeoutMs} ms`, {
    path,
    hint: 'Try again later; the lock frees itself when its holder ends',
  });
}
