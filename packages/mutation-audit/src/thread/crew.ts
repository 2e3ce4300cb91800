import type { MessagePort } from 'node:worker_threads';
import { type Flusher, KeptFlusher } from '../snapshot/flusher.ts';
import { compareShare } from '../tree/compare-share.ts';
import { hashShare } from '../tree/hash-share.ts';
import { KeptMemory } from '../tree/kept-memory.ts';
import { SharedQueue } from '../tree/shared-queue.ts';
import type { Share } from '../tree/turn.ts';
import { walkShare } from '../tree/walk.ts';
import type { CrewJob, CrewParts, CrewReply } from './protocol.ts';
import { fromThreadError, toThreadError } from './thread-error.ts';

/** One thread's share of a job, not begun yet. What a walk found lies in `memory` until the next one. */
export function shareOf<K extends CrewJob['kind']>(
  job: Extract<CrewJob, { kind: K }>,
  memory: KeptMemory,
): Share<CrewParts[K]> {
  // Each branch is the share of its own kind; the compiler can't tie K to the branch.
  return anyShareOf(job, memory) as Share<CrewParts[K]>;
}

/** Does a share in one go; blocks the calling thread. */
function doShare<K extends CrewJob['kind']>(job: Extract<CrewJob, { kind: K }>, memory: KeptMemory): CrewParts[K] {
  const share = shareOf<K>(job, memory);
  for (;;) {
    const step = share.next();
    if (step.done === true) return step.value;
  }
}

function anyShareOf(job: CrewJob, memory: KeptMemory): Share<CrewParts[keyof CrewParts]> {
  switch (job.kind) {
    case 'walk':
      memory.reclaim();
      return walkShare(new SharedQueue(job.queue), job.limits, memory);
    case 'compare':
      return compareShare(job.input);
    case 'hash':
      return hashShare(job.input);
  }
}

/** Whoever works on a task. */
export interface Crew {
  /** Room for work that one thread leaves to others. */
  readonly queueBytes: number;
  /** For what a task keeps until its end. */
  readonly memory: KeptMemory;
  readonly flusher: Flusher;
  /** Between two stretches of work: whoever else needs the thread has it first. Nothing where the thread is the audit's own. */
  pause(): Promise<void>;
  /** Where whoever works can't be ended from outside: the task looks at it when it has waited. */
  readonly signal?: AbortSignal | undefined;
  /** One part per thread. `meanwhile` runs before the calling thread's own share. Rejects where any share failed. */
  run<K extends CrewJob['kind']>(
    job: Extract<CrewJob, { kind: K }>,
    meanwhile?: () => Promise<void>,
  ): Promise<readonly CrewParts[K][]>;
}

/** The lead thread and its helpers: every job is worked on by all of them at once. */
export class ThreadCrew implements Crew {
  /** Room for the largest unit: a slice of names of 255 bytes each. */
  readonly queueBytes = 768 * 1024;
  readonly memory = new KeptMemory();
  readonly flusher = new KeptFlusher();
  /** A task walks once, so what an earlier walk found is no longer looked at. */
  readonly #walked = new KeptMemory();
  readonly #helpers: readonly MessagePort[];

  constructor(helpers: readonly MessagePort[]) {
    this.#helpers = helpers;
  }

  async pause(): Promise<void> {
    // Nobody else needs this thread.
  }

  async run<K extends CrewJob['kind']>(
    job: Extract<CrewJob, { kind: K }>,
    meanwhile?: () => Promise<void>,
  ): Promise<readonly CrewParts[K][]> {
    const replies = this.#helpers.map((port) => nextReply(port));
    for (const port of this.#helpers) port.postMessage(job);
    const own = await attempt(async () => {
      await meanwhile?.();
      return doShare<K>(job, this.#walked);
    });
    if (!own.ok) abandon(job);
    const parts = await Promise.all(replies);
    if (!own.ok) throw own.error;
    // A helper answers the job that it was given.
    return [own.part, ...parts.map((reply) => partOf(reply) as CrewParts[K])];
  }
}

/** Serves a helper's port for as long as it is open. */
export function serveHelper(port: MessagePort): void {
  const walked = new KeptMemory();
  port.on('message', (job: CrewJob) => port.postMessage(replyTo(job, walked)));
}

function replyTo(job: CrewJob, memory: KeptMemory): CrewReply {
  try {
    return { ok: true, part: doShare(job, memory) };
  } catch (error) {
    abandon(job);
    return { ok: false, error: toThreadError(error) };
  }
}

/** Lets the other threads stop waiting for work that will never come. */
function abandon(job: CrewJob): void {
  if (job.kind === 'walk') new SharedQueue(job.queue).abandon();
}

function nextReply(port: MessagePort): Promise<CrewReply> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('a helper thread of the audit ended'));
    port.once('close', onClose);
    port.once('message', (reply: CrewReply) => {
      port.off('close', onClose);
      resolve(reply);
    });
  });
}

function partOf(reply: CrewReply): CrewParts[keyof CrewParts] {
  if (reply.ok) return reply.part;
  throw fromThreadError(reply.error);
}

async function attempt<T>(work: () => Promise<T>): Promise<{ ok: true; part: T } | { ok: false; error: unknown }> {
  try {
    return { ok: true, part: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}
