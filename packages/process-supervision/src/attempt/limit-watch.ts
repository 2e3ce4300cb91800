import type { Limits } from '@bailiwick/dispatch-state';

/** The largest delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Keeps an attempt's two limits on the monotonic clock, on which a suspended machine doesn't age.
 * The idle timer isn't re-armed for each chunk: when it fires it looks how long ago the last sign of life was.
 */
export class LimitWatch {
  readonly #limits: Limits;
  readonly #onLimit: (limit: 'hard' | 'idle') => void;
  #hard: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #aliveAtMs = 0;

  constructor(limits: Limits, onLimit: (limit: 'hard' | 'idle') => void) {
    this.#limits = limits;
    this.#onLimit = onLimit;
  }

  start(): void {
    this.noteLife();
    this.#hard = setTimeout(() => this.#onLimit('hard'), Math.min(this.#limits.hardMs, MAX_TIMER_MS));
    this.#armIdle(this.#limits.idleMs);
  }

  noteLife(): void {
    this.#aliveAtMs = performance.now();
  }

  /** Milliseconds since the last sign of life. */
  quietMs(): number {
    return performance.now() - this.#aliveAtMs;
  }

  stop(): void {
    clearTimeout(this.#hard);
    clearTimeout(this.#idle);
  }

  #armIdle(delayMs: number): void {
    this.#idle = setTimeout(
      () => {
        const leftMs = this.#limits.idleMs - this.quietMs();
        if (leftMs > 0) this.#armIdle(leftMs);
        else this.#onLimit('idle');
      },
      Math.min(Math.max(1, delayMs), MAX_TIMER_MS),
    );
  }
}
