import type { Stage } from '@bailiwick/dispatch-state';

/** Why a supervisor ends a worker that would go on. */
export interface EndCause {
  readonly stage: Extract<Stage, 'timed-out' | 'idle-timed-out' | 'stopped' | 'served-model-mismatch'>;
  readonly reason: string;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

/** The first cause to end an attempt; later ones change nothing. */
export class EndRequest {
  readonly made: Promise<EndCause>;
  #cause: EndCause | undefined;
  #settle: (cause: EndCause) => void = () => undefined;

  constructor() {
    this.made = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get cause(): EndCause | undefined {
    return this.#cause;
  }

  make(cause: EndCause): void {
    this.#cause ??= cause;
    this.#settle(cause);
  }
}
