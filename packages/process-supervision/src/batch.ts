import type { SupervisionOrder } from '@bailiwick/dispatch-state';
import type { DispatchId } from '@bailiwick/execution-identity';
import type { ModelGateway } from '@bailiwick/model-gateway';
import { Attempt, type StartOutcome } from './attempt/attempt.ts';
import { costStopOf } from './cost-limit.ts';
import { messageOf } from './errors.ts';
import type { LaunchReport } from './launch-report.ts';
import { Places } from './places.ts';
import type { StageMessage, StopMessage } from './wire/socket-messages.ts';

export interface BatchOptions {
  readonly supervisorVersion: string;
  readonly socketPath: string | null;
  readonly tell: (message: StageMessage) => void;
  readonly display?: (dispatchId: DispatchId, chunk: Uint8Array) => void;
  /** Where jobs reach their model server through a gateway. */
  readonly gateway?: ModelGateway;
}

/** How often stop intents are looked for. */
export const STOP_TICK_MS = 1_000;

/**
 * The attempts of one order: as many at a time as there are places, and of each provider as many as its limit lets; the others in the
 * order of the jobs, while the run may cost more.
 */
export class Batch {
  readonly #attempts: readonly Attempt[];
  readonly #waiting: Attempt[];
  readonly #places: Places;
  readonly #costLimit: SupervisionOrder['costLimit'];
  readonly #runs = new Set<Promise<void>>();
  #isTicking = false;

  constructor(order: SupervisionOrder, options: BatchOptions) {
    this.#attempts = order.jobs.map((job) => attemptOf(job, order, options));
    this.#waiting = [...this.#attempts];
    this.#places = new Places(order.maxConcurrent, order.providerLimits);
    this.#costLimit = order.costLimit;
  }

  /**
   * Starts as many as there are places for and says so of every job; resolves when the first ones run or have failed.
   */
  async launch(report: LaunchReport): Promise<void> {
    const first = this.#takePlaces();
    for (const { job } of this.#waiting) report.tell({ kind: 'queued', dispatchId: job.dispatchId });
    await Promise.all(first.map((seated) => this.#started(seated, report)));
  }

  /** Resolves when every attempt is over, those that waited included. */
  async finish(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  stop(message: StopMessage): void {
    const wanted = new Set(message.stop);
    this.#stopWhere((attempt) => wanted.has(attempt.job.dispatchId), message.by, message.graceMs);
  }

  /** Each with its own grace. */
  stopAll(by: string): void {
    for (const attempt of this.#attempts) attempt.stop(by, attempt.job.limits.graceMs);
    this.#endWaiting();
  }

  async tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      await Promise.all(this.#attempts.map((attempt) => attempt.tick()));
      this.#endWaiting();
    } finally {
      this.#isTicking = false;
    }
  }

  stages(): readonly StageMessage[] {
    return this.#attempts.flatMap(({ job, stage }) =>
      stage === undefined ? [] : [{ dispatchId: job.dispatchId, stage }],
    );
  }

  #stopWhere(matches: (attempt: Attempt) => boolean, by: string, graceMs: number): void {
    for (const attempt of this.#attempts.filter(matches)) attempt.stop(by, graceMs);
    this.#endWaiting();
  }

  /** A stopped attempt that waits for a place gets its terminal sidecar now, not when a place is free. */
  #endWaiting(): void {
    for (const attempt of this.#waiting.filter(({ isEnding }) => isEnding)) {
      this.#waiting.splice(this.#waiting.indexOf(attempt), 1);
      this.#keep(runSafely(attempt, NO_PLACE, () => undefined));
    }
  }

  #started(seated: Seated, report: LaunchReport): Promise<void> {
    return new Promise((resolve) => {
      const onStart = (outcome: StartOutcome): void => {
        report.tell({ ...outcome, dispatchId: seated.attempt.job.dispatchId });
        resolve();
      };
      this.#keep(this.#occupy(seated, onStart));
    });
  }

  /** Everybody who waits and may have a place now, in the order of the jobs; they wait no more. */
  #takePlaces(): readonly Seated[] {
    const seated: Seated[] = [];
    for (const attempt of [...this.#waiting]) {
      const place = this.#places.take(attempt.job.provider);
      if (place === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(attempt), 1);
      seated.push({ attempt, place });
    }
    return seated;
  }

  /** Runs it, then gives its place to whoever may have one now. */
  async #occupy({ attempt, place }: Seated, onStart: (outcome: StartOutcome) => void): Promise<void> {
    await runSafely(attempt, place, onStart);
    this.#places.give(attempt.job.provider, place);
    for (const next of this.#takePlaces()) this.#keep(this.#occupyLater(next));
  }

  /** The first ones were allowed by the command; since then others may have spent what was left. */
  async #occupyLater(seated: Seated): Promise<void> {
    const by = await costStopOf(this.#costLimit);
    if (by !== undefined) seated.attempt.stop(by, 0);
    await this.#occupy(seated, () => undefined);
  }

  #keep(run: Promise<void>): void {
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }
}

/** An attempt with the place that it runs in. */
interface Seated {
  readonly attempt: Attempt;
  readonly place: number;
}

/** Never runs: it is only said to be stopped. */
const NO_PLACE = 0;

/** One attempt that can't even be settled here (its sidecar can't be written) is lost; the others go on. */
async function runSafely(attempt: Attempt, place: number, onStart: (outcome: StartOutcome) => void): Promise<void> {
  let isTold = false;
  const tellOnce = (outcome: StartOutcome): void => {
    if (!isTold) onStart(outcome);
    isTold = true;
  };
  await attempt.run(place, tellOnce).catch((error: unknown) => tellOnce({ kind: 'failed', reason: messageOf(error) }));
}

function attemptOf(job: SupervisionOrder['jobs'][number], order: SupervisionOrder, options: BatchOptions): Attempt {
  const { supervisorVersion, socketPath, tell, display, gateway } = options;
  return new Attempt(job, {
    supervisorVersion,
    socketPath,
    maxLogBytes: order.maxLogBytes,
    onStage: (stage) => tell({ dispatchId: job.dispatchId, stage }),
    ...(gateway && { gateway }),
    ...(display && { display: (chunk: Uint8Array) => display(job.dispatchId, chunk) }),
  });
}
