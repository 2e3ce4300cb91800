import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { MutationAuditError } from '../errors.ts';
import { createTurnstile } from './one-at-a-time.ts';
import type { AuditAnswer, AuditTask, CrewRole, TaskOptions } from './protocol.ts';
import { fromThreadError } from './thread-error.ts';

/**
 * The audit's threads, seen from the caller's thread.
 *
 * Invariants:
 * T1 There is one crew, which runs one task at a time: it keeps every core busy, and more of them would only cost memory.
 * T2 An idle crew never keeps the process alive, and ends after IDLE_MS.
 * T3 A crew that failed or was aborted is ended, never used again.
 */

/** A cold disk, and a machine that is busy with other work, want more threads than cores; each costs about 25 MB. */
const MAX_THREADS = 3;
/** What a walk leaves behind is garbage at once: a small young generation keeps it in the cache and the memory low. */
const YOUNG_GENERATION_MB = 4;
/** A comparison often follows a snapshot, or another comparison, at once. */
const IDLE_MS = 5_000;

interface CrewHandle {
  readonly lead: Worker;
  readonly threads: readonly Worker[];
  expiry?: NodeJS.Timeout;
}

const turns = createTurnstile();
let idle: CrewHandle | undefined;
let chosenEntry: URL | undefined;

/** Names the file of the audit's worker, for a program that bundles this package and puts the worker elsewhere. Undefined: beside this file. */
export function setAuditWorkerEntry(entry: URL | undefined): void {
  chosenEntry = entry;
}

/** Runs one task on the audit's threads, after those that came before it; see `runAuditTask`. On abort the threads are ended. */
export async function runOnThreads(task: AuditTask, o: TaskOptions): Promise<AuditAnswer> {
  o.signal?.throwIfAborted();
  return await turns.pass(() => runOnCrew(task, o), o.signal);
}

async function runOnCrew(task: AuditTask, o: TaskOptions): Promise<AuditAnswer> {
  const crew = idle ?? (await startCrew());
  idle = undefined;
  clearTimeout(crew.expiry);
  for (const thread of crew.threads) thread.ref();
  try {
    o.signal?.throwIfAborted();
    const answer = await lastAnswer(crew, task, o);
    retire(crew);
    return answer;
  } catch (error) {
    await Promise.all(crew.threads.map((thread) => thread.terminate()));
    throw error;
  }
}

/** Whether threads stand by, so that using them costs nothing. */
export function hasIdleThreads(): boolean {
  return idle !== undefined;
}

function lastAnswer(crew: CrewHandle, task: AuditTask, o: TaskOptions): Promise<AuditAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<AuditAnswer>();
  const onMessage = (answer: AuditAnswer): void => {
    if (answer.kind === 'slice') o.onSlice?.(answer);
    else if (answer.kind === 'failed') reject(fromThreadError(answer.error));
    else resolve(answer);
  };
  const onError = (cause: unknown): void => reject(threadFailed(cause));
  const onExit = (code: number): void => reject(threadFailed(`a thread ended with code ${code}`));
  const onAbort = (): void => reject(o.signal?.reason);
  crew.lead.on('message', onMessage);
  for (const thread of crew.threads) thread.on('error', onError).on('exit', onExit);
  o.signal?.addEventListener('abort', onAbort);
  crew.lead.postMessage(task);
  return promise.finally(() => {
    crew.lead.off('message', onMessage);
    for (const thread of crew.threads) thread.off('error', onError).off('exit', onExit);
    o.signal?.removeEventListener('abort', onAbort);
  });
}

/** One thread at a time: each costs the calling thread some milliseconds. */
async function startCrew(): Promise<CrewHandle> {
  const entry = workerEntry();
  const helpers: Worker[] = [];
  const ports: MessagePort[] = [];
  const count = Math.min(MAX_THREADS, Math.max(1, 2 * availableParallelism()));
  for (let at = 1; at < count; at += 1) {
    const { port1, port2 } = new MessageChannel();
    helpers.push(startThread(entry, { role: 'helper', port: port2 }, [port2]));
    ports.push(port1);
    await setImmediate();
  }
  const lead = startThread(entry, { role: 'lead', helpers: ports }, ports);
  const crew: CrewHandle = { lead, threads: [lead, ...helpers] };
  for (const thread of crew.threads) thread.once('exit', () => forget(crew));
  return crew;
}

function startThread(entry: URL, workerData: CrewRole, transferList: readonly MessagePort[]): Worker {
  const thread = new Worker(entry, {
    workerData,
    transferList: [...transferList],
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    stdin: false,
  });
  // A listener of its own keeps an error in an idle crew from ending the process; the next task sees the exit.
  return thread.on('error', () => undefined);
}

function retire(crew: CrewHandle): void {
  for (const thread of crew.threads) thread.unref();
  idle = crew;
  crew.expiry = setTimeout(() => {
    if (!forget(crew)) return;
    for (const thread of crew.threads) void thread.terminate();
  }, IDLE_MS);
  crew.expiry.unref();
}

/** Whether the crew was the idle one, which it is no longer. */
function forget(crew: CrewHandle): boolean {
  if (idle !== crew) return false;
  idle = undefined;
  return true;
}

/** Beside this module: in the sources one folder up, in a bundle in the same folder. */
function workerEntry(): URL {
  if (chosenEntry !== undefined) return chosenEntry;
  const candidates = [
    new URL('../audit-worker.ts', import.meta.url),
    new URL('./audit-worker.js', import.meta.url),
    new URL('./audit-worker.mjs', import.meta.url),
    new URL('../audit-worker.js', import.meta.url),
  ];
  const found = candidates.find((url) => existsSync(url));
  if (found !== undefined) return found;
  throw new MutationAuditError(
    'AUDIT_THREAD_FAILED',
    `The audit's worker was not found beside ${import.meta.url}; a bundle must hold audit-worker.js next to it.`,
  );
}

function threadFailed(cause: unknown): MutationAuditError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new MutationAuditError('AUDIT_THREAD_FAILED', `The audit's thread failed: ${what}`, { cause });
}
