import type { Stage } from '@bailiwick/dispatch-state';

/** Why a supervisor ends a worker that would go on. */
export interface EndCause {
  readonly stage: Extract<Stage, 'timed-out' | 'idle-timed-out' | 'stopped' | 'served-model-mismatch'>;
  readonly reason: string;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

/** The first cause to end an attempt. A later one takes nothing from it but time: less grace than the first gave is what counts. */
export class EndRequest {
  readonly made: Promise<EndCause>;
  #cause: EndCause | undefined;
  #settle: (cause: EndCause) => void = () => undefined;
  readonly #hurry = new AbortController();

  constructor() {
    this.made = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get cause(): EndCause | undefined {
    return this.#cause;
  }

  /** Aborted when a later cause's grace is over; the first one's is counted by whoever ends the tree. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  make(cause: EndCause): void {
    if (this.#cause === undefined) {
      this.#cause = cause;
      this.#settle(cause);
    } else if (cause.graceMs === 0) this.#hurry.abort();
    else setTimeout(() => this.#hurry.abort(), cause.graceMs).unref();
  }
}
