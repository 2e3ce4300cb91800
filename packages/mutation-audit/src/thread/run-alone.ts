import { setImmediate } from 'node:timers/promises';
import { isMutationAuditError } from '../errors.ts';
import { type Flusher, flushOnce } from '../snapshot/flusher.ts';
import { KeptMemory } from '../tree/kept-memory.ts';
import { beginTurn, endTurns, isTurnUsed, looksOfTurn, TurnOver } from '../tree/turn.ts';
import { type Crew, shareOf } from './crew.ts';
import type { AuditAnswer, AuditTask, CrewJob, CrewParts, TaskOptions } from './protocol.ts';
import { runTask } from './run-task.ts';
import { fromThreadError, toThreadError } from './thread-error.ts';

/** Of more than this even what a task does between its looks would hold up the calling thread. */
const MAX_LOOKS = 4_096;

/** Tasks that run in this thread right now; they take turns with it. */
let running = 0;

/**
 * Runs a task in the calling thread, in turns that are too short to be noticed: starting threads costs more than a small tree's whole
 * audit. Undefined where the tree turned out not to be small; nothing has been written or answered then. What is thrown is what the
 * threads would throw.
 */
export async function runAlone(task: AuditTask, o: TaskOptions): Promise<AuditAnswer | undefined> {
  const answers: AuditAnswer[] = [];
  running += 1;
  try {
    beginTurn();
    await runTask(task, new LoneCrew(o.signal), (answer) => answers.push(answer));
  } catch (error) {
    if (error instanceof TurnOver) return undefined;
    throw isMutationAuditError(error) || error === o.signal?.reason ? error : fromThreadError(toThreadError(error));
  } finally {
    running -= 1;
    if (running === 0) endTurns();
  }
  for (const answer of answers) if (answer.kind === 'slice') o.onSlice?.(answer);
  return answers.at(-1);
}

/** The calling thread alone. */
class LoneCrew implements Crew {
  /** Nobody takes anything over. */
  readonly queueBytes = 0;
  readonly memory = new KeptMemory();
  readonly flusher: Flusher;
  readonly signal: AbortSignal | undefined;
  #looks = 0;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal;
    this.flusher = flushOnce(signal);
  }

  async run<K extends CrewJob['kind']>(
    job: Extract<CrewJob, { kind: K }>,
    meanwhile?: () => Promise<void>,
  ): Promise<readonly CrewParts[K][]> {
    await this.pause();
    if (meanwhile !== undefined) {
      await meanwhile();
      await this.pause();
    }
    const share = shareOf<K>(job, new KeptMemory());
    for (;;) {
      const step = share.next();
      if (step.done === true || isTurnUsed()) await this.#nextTurn();
      if (step.done === true) return [step.value];
    }
  }

  async #nextTurn(): Promise<void> {
    this.#looks += looksOfTurn();
    if (this.#looks > MAX_LOOKS) throw new TurnOver();
    await this.pause();
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    beginTurn();
  }
}
