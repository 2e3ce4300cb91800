import { type AttemptAddress, STOPPED_AS_LOST, type StopOptions, type StopOutcome } from '@bailiwick/backend-contract';
import { type StatusSidecar, writeSidecar } from '@bailiwick/dispatch-state';
import { type KernelLock, tryLock } from '@bailiwick/durable-files';
import {
  bareTerminalSidecar,
  endProcessTree,
  namespaceNoteOf,
  SUPERVISOR_VERSION,
  startingSidecar,
} from '@bailiwick/process-supervision';
import { isTerminal, sidecarOf } from './probe.ts';
import { askSupervisor, untilTerminal } from './stop-by-supervisor.ts';

/**
 * Ends attempts with everything they started; the outcomes come in the order of the attempts. While a supervisor holds
 * the live lock, it is asked to and has the time to do it; else this process holds that lock meanwhile, so that no
 * supervisor comes up, and ends the trees itself. It then writes the sidecar `stopped`, unless the stop only clears up
 * after a loss (STOPPED_AS_LOST).
 */
export async function stopAttempts(
  attempts: readonly AttemptAddress[],
  options: StopOptions,
): Promise<readonly StopOutcome[]> {
  const batches = [...Map.groupBy(attempts, ({ liveLockPath }) => liveLockPath).values()];
  const outcomes = (await Promise.all(batches.map((batch) => stopBatch(batch, options)))).flat();
  const byId = new Map(outcomes.map((outcome) => [outcome.dispatchId, outcome]));
  return attempts.map(({ dispatchId }) => byId.get(dispatchId)).filter((outcome) => outcome !== undefined);
}

async function stopBatch(batch: readonly AttemptAddress[], options: StopOptions): Promise<readonly StopOutcome[]> {
  // Whoever clears up after a loss has proven it by holding the live lock: nobody is left to ask.
  if (options.by === STOPPED_AS_LOST) return Promise.all(batch.map((attempt) => endDirectly(attempt, options)));
  const lock = liveLockOf(batch);
  if (lock !== undefined) return endUnsupervised(batch, options, lock);
  await askSupervisor(batch, options);
  // It has done it, or it has died meanwhile, or it hangs and doesn't let go of its lock.
  const left = liveLockOf(batch);
  if (left !== undefined) return endUnsupervised(batch, options, left);
  return Promise.all(batch.map((attempt) => endBesideSupervisor(attempt)));
}

function liveLockOf(batch: readonly AttemptAddress[]): KernelLock | undefined {
  const [first] = batch;
  return first === undefined ? undefined : tryLock(first.liveLockPath);
}

async function endUnsupervised(
  batch: readonly AttemptAddress[],
  options: StopOptions,
  lock: KernelLock,
): Promise<readonly StopOutcome[]> {
  try {
    return await Promise.all(batch.map((attempt) => endDirectly(attempt, options)));
  } finally {
    lock.release();
  }
}

async function endDirectly(attempt: AttemptAddress, options: StopOptions): Promise<StopOutcome> {
  const sidecar = await sidecarOf(attempt);
  if (sidecar !== undefined && isTerminal(sidecar)) return outcomeOf(sidecar);
  const { dispatchId, sidecarPath } = attempt;
  const process = sidecar?.process ?? attempt.process;
  const end = await endProcessTree({
    fence: dispatchId,
    graceMs: options.graceMs,
    namespaceNote: namespaceNoteOf(sidecarPath),
    ...(process === null ? {} : { process }),
  });
  if (end.isGone && options.by !== STOPPED_AS_LOST) {
    const source = { dispatchId, supervisorVersion: SUPERVISOR_VERSION, socketPath: null };
    const reason = `stopped by ${options.by}, without a supervisor`;
    const known = sidecar ?? startingSidecar(source, process);
    const { endProof, endedProcesses } = end;
    await writeSidecar(
      sidecarPath,
      bareTerminalSidecar(known, { stage: 'stopped', reason, endProof, leftProcesses: endedProcesses }),
    );
  }
  return { dispatchId, ...end };
}

/**
 * A supervisor that was given its time and still holds the lock: the tree is ended over its head, the sidecar stays its
 * own.
 */
async function endBesideSupervisor(attempt: AttemptAddress): Promise<StopOutcome> {
  const before = await sidecarOf(attempt);
  if (before !== undefined && isTerminal(before)) return outcomeOf(before);
  const process = before?.process ?? attempt.process;
  const end = await endProcessTree({
    fence: attempt.dispatchId,
    graceMs: 0,
    namespaceNote: namespaceNoteOf(attempt.sidecarPath),
    ...(process === null ? {} : { process }),
  });
  await untilTerminal([attempt], NOTICE_MS);
  const after = await sidecarOf(attempt);
  if (after !== undefined && isTerminal(after)) return outcomeOf(after);
  return { dispatchId: attempt.dispatchId, ...end, isGone: false };
}

/** How long a supervisor may take to notice that its worker's tree is gone, and to write so. */
const NOTICE_MS = 3_000;

function outcomeOf(sidecar: StatusSidecar): StopOutcome {
  const { dispatchId, endProof, leftProcesses, stage, process } = sidecar;
  const leader = stage === 'stopped' && process !== null ? 1 : 0;
  return { dispatchId, isGone: endProof !== 'unknown', endProof, endedProcesses: leftProcesses + leader };
}
