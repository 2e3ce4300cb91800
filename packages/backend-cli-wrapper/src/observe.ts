import type { AttemptAddress, StageHint } from '@bailiwick/backend-contract';
import { connectSupervisor, type StageMessage, type SupervisorConnection } from '@bailiwick/process-supervision';

/** The listening of one backend, which its `close` ends. */
export class Observers {
  readonly #open = new Set<SupervisorConnection>();

  /** Resolves when `signal` aborts, when no supervisor of these attempts listens any more, or at `close`. */
  async observe(
    attempts: readonly AttemptAddress[],
    onHint: (hint: StageHint) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const wanted = new Map(attempts.map(({ dispatchId }) => [dispatchId as string, dispatchId]));
    const paths = new Set(attempts.map(({ socketPath }) => socketPath).filter((path) => path !== null));
    await Promise.all(
      [...paths].map((path) =>
        this.#listen(path, signal, ({ dispatchId: id, stage }) => {
          const dispatchId = wanted.get(id);
          if (dispatchId !== undefined && !signal.aborted) onHint({ dispatchId, stage });
        }),
      ),
    );
  }

  close(): void {
    for (const connection of this.#open) connection.close();
  }

  async #listen(path: string, signal: AbortSignal, onStage: (message: StageMessage) => void): Promise<void> {
    // Nobody there: polling does as well, a second later.
    const connection = await connectSupervisor(path).catch(() => undefined);
    if (connection === undefined) return;
    this.#open.add(connection);
    connection.onHint(onStage);
    await Promise.race([connection.closed, aborted(signal)]);
    connection.close();
    this.#open.delete(connection);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
