import type { StageHint } from '@bailiwick/backend-contract';
import { type BackendKind, isTerminalStage } from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { addressOf } from './attempt-address.ts';
import type { ObservedAttempt } from './decide-batch.ts';

/** How often sidecars are looked at where no hint comes: hints may be lost, facts may not. */
export const POLL_EVERY_MS = 1_000;

/** Tells when looking again is worth it; one standing observation per batch, however often the caller waits. */
export interface Hints {
  /** Makes sure that the batches are observed. */
  follow(batches: ReadonlyMap<BatchId, readonly ObservedAttempt[]>): void;
  /** Resolves at a hint, after `timeoutMs`, or when `signal` aborts. */
  next(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Hints of every batch that is followed; the caller closes them. */
export function createHints(context: DispatchContext): Hints {
  const observed = new Map<string, AbortController>();
  let wake: () => void = () => undefined;
  let isHinted = false;
  const hint = (): void => {
    isHinted = true;
    wake();
  };
  // A batch has something to be done only where one of its workers has ended; looking costs a read of all that is open.
  const hintOfEnd = ({ stage }: StageHint): void => {
    if (stage === undefined || isTerminalStage(stage)) hint();
  };
  return {
    follow(batches) {
      for (const [batchId, attempts] of batches)
        for (const [kind, group] of Map.groupBy(attempts, ({ record }) => record.backend))
          startObserving(`${batchId} ${kind}`, kind, group);
    },
    async next(timeoutMs, signal) {
      if (!isHinted && !signal.aborted) await waitFor(timeoutMs, signal);
      isHinted = false;
    },
    close() {
      for (const controller of observed.values()) controller.abort();
    },
  };

  function startObserving(key: string, kind: BackendKind, attempts: readonly ObservedAttempt[]): void {
    const backend = context.backends.get(kind);
    if (backend === undefined || observed.has(key)) return;
    const addresses = attempts.map(({ record, sidecar }) => addressOf(context, record, sidecar));
    if (addresses.every((address) => address.socketPath === null)) return;
    const controller = new AbortController();
    observed.set(key, controller);
    const ended = (): void => {
      observed.delete(key);
      hint();
    };
    backend.observe(addresses, hintOfEnd, controller.signal).then(ended, ended);
  }

  async function waitFor(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
    wake = () => undefined;
  }
}
