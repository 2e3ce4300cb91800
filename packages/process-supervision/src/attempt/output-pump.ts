import type { Readable } from 'node:stream';
import type { AgentLog } from './agent-log.ts';
import type { GatedWorker } from './gated-start.ts';
import type { OutputChannel, OutputReading } from './output-reading.ts';

export interface PumpTargets {
  readonly reading: OutputReading;
  readonly log: AgentLog;
  readonly onOutput: () => void;
  readonly display?: (chunk: Uint8Array) => void;
}

/** How long the pipes may stay open once the tree is gone: only a process that no search finds can hold them then. */
const DRAIN_MS = 2_000;

/**
 * Carries an agent's output to log and reader. The next chunk is taken from the pipe when the one before is written, so
 * that a hundred megabytes cost no memory and an agent that prints faster than the disk writes is held back.
 */
export class OutputPump {
  readonly #streams: readonly Readable[];
  readonly #targets: PumpTargets;
  readonly #flow: Promise<unknown>;
  #lastOutputAt: string | null = null;

  constructor(worker: GatedWorker, targets: PumpTargets) {
    this.#targets = targets;
    this.#streams = [worker.stdout, worker.stderr];
    this.#flow = Promise.all([this.#carry(worker.stdout, 'stdout'), this.#carry(worker.stderr, 'stderr')]);
  }

  get lastOutputAt(): string | null {
    return this.#lastOutputAt;
  }

  /** Takes what is left in the pipes; gives up on them after {@link DRAIN_MS}. */
  async drain(): Promise<void> {
    const cutOff = setTimeout(() => {
      for (const stream of this.#streams) stream.destroy();
    }, DRAIN_MS);
    await this.#flow;
    clearTimeout(cutOff);
  }

  async #carry(stream: Readable, channel: OutputChannel): Promise<void> {
    try {
      for await (const chunk of stream) await this.#take(chunk as Uint8Array, channel); // no encoding is set on it
    } catch {
      // Destroyed by `drain`, or reset by the other side: there is no more output.
    }
  }

  async #take(chunk: Uint8Array, channel: OutputChannel): Promise<void> {
    this.#lastOutputAt = new Date().toISOString();
    await this.#targets.log.write(chunk);
    this.#targets.reading.push(chunk, channel);
    this.#targets.display?.(chunk);
    this.#targets.onOutput();
  }
}
