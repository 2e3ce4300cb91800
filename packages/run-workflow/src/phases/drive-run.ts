import {
  awaitRun,
  buildPlan,
  checkBatchShape,
  type DispatchContext,
  dispatchBatch,
  interruptAttempts,
  rosterShape,
} from '@bailiwick/dispatch';
import { type BackendKind, type DispatchRecord, listStopIntents, readAllRecords } from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import { RunError } from '../errors.ts';
import { reportDossier } from '../prompts/report-dossier.ts';
import { writePrompt } from '../prompts/write-prompt.ts';
import { type DueWorker, nextPhase, type Phase, type PhaseStep, type RunOutcome, workersOf } from './next-phase.ts';

export interface DriveOptions {
  readonly backend: BackendKind;
  /** Lets a new invocation make up for an attempt that came to nothing. */
  readonly mayRecover: boolean;
  /** Aborted by an interrupt: what was launched is ended and settled. */
  readonly signal: AbortSignal;
  /** Aborted by a second interrupt: workers get no more time to end politely. */
  readonly hurry: AbortSignal;
  /** True where the first signal only lets go (a closed terminal): workers go on. */
  readonly isDetached: () => boolean;
  readonly onPhase: (phase: Phase, workers: readonly string[]) => void;
}

/** How driving ended; `interrupted` leaves everything settled, `detached` leaves workers running; both are resumable. */
export type DriveResult =
  | { readonly kind: 'ended'; readonly outcome: RunOutcome }
  | { readonly kind: 'interrupted' | 'detached' };

/** Takes a run from wherever its records say it stands through all phases. Resuming is the same call. */
export async function driveRun(context: DispatchContext, options: DriveOptions): Promise<DriveResult> {
  await refuseStopped(context);
  let mayRecover = options.mayRecover;
  for (;;) {
    const step = nextPhase(context.manifest, await readAllRecords(context.layout), { mayRecover });
    if (step.kind === 'ended') return { kind: 'ended', outcome: step.outcome };
    if (options.signal.aborted) return { kind: 'interrupted' };
    if (step.kind === 'dispatch') {
      await dispatchPhase(context, step, options);
      mayRecover = false;
    }
    const waited = await settleOrInterrupt(context, options);
    if (waited === 'interrupted' || waited === 'detached') return { kind: waited };
  }
}

/** Plan of the workers that are due: shape first, then their prompts, made where they aren't there yet (PL-4). */
export async function planDue(context: DispatchContext, due: readonly DueWorker[], backend: BackendKind) {
  const { manifest } = context;
  checkBatchShape(rosterShape(manifest, workersOf(manifest, due), backend), context.backends);
  const records = await readAllRecords(context.layout);
  const requests = [];
  for (const worker of due) requests.push(await requestOf(context, worker, { backend, records }));
  return buildPlan({ manifest, requests, backends: context.backends });
}

async function requestOf(
  context: DispatchContext,
  { execution, ordinal, recoveryOf }: DueWorker,
  o: { readonly backend: BackendKind; readonly records: readonly DispatchRecord[] },
) {
  const dossier = execution.role === 'report-writer' ? await reportDossier(context, o.records) : '';
  const promptPath = await writePrompt(context.layout, context.manifest, { execution, ordinal, dossier });
  return { promptPath, backend: o.backend, ...(recoveryOf === null ? {} : { recoveryOf: recoveryOf.invocationRef }) };
}

async function dispatchPhase(
  context: DispatchContext,
  step: Extract<PhaseStep, { kind: 'dispatch' }>,
  options: DriveOptions,
): Promise<void> {
  options.onPhase(step.phase, workersOf(context.manifest, step.due));
  await dispatchBatch(context, await planDue(context, step.due, options.backend));
}

/** Waits for what runs; an interrupt ends it instead, and it is settled all the same when this returns. */
export async function settleOrInterrupt(
  context: DispatchContext,
  o: Pick<DriveOptions, 'signal' | 'hurry' | 'isDetached'> & {
    readonly timeoutMs?: number;
    /** What an interrupt ends: the batches that the command launched; absent: all that runs in the run. */
    readonly launched?: ReadonlySet<BatchId>;
  },
): Promise<'settled' | 'interrupted' | 'detached' | 'timed-out'> {
  const { signal, timeoutMs } = o;
  const report = await awaitRun(context, timeoutMs === undefined ? { signal } : { signal, timeoutMs });
  const [failure] = report.failures;
  if (failure !== undefined) throw failure.error;
  if (report.kind !== 'detached' || o.isDetached()) return report.kind;
  const ours = report.running.filter((record) => o.launched?.has(record.batchId) ?? true);
  await endInterrupted(context, ours, o.hurry);
  await awaitRun(context, { batchIds: new Set(ours.map((record) => record.batchId)) });
  return 'interrupted';
}

async function endInterrupted(
  context: DispatchContext,
  running: readonly DispatchRecord[],
  hurry: AbortSignal,
): Promise<void> {
  const { graceMs } = context.manifest.limits;
  const end = (ms: number) => interruptAttempts(context, running, { by: 'interrupt', graceMs: ms });
  const atOnce = (): void => {
    void end(0);
  };
  hurry.addEventListener('abort', atOnce, { once: true });
  await end(hurry.aborted ? 0 : graceMs);
  hurry.removeEventListener('abort', atOnce);
}

async function refuseStopped(context: DispatchContext): Promise<void> {
  const stopped = await listStopIntents(context.layout);
  if (stopped.length === 0) return;
  const names = stopped.map((intent) => intent.workerId);
  throw new RunError('RUN_STOPPED', `run ${context.manifest.runId} was stopped (${names.join(', ')})`, {
    names,
    hint: '`bailiwick run resume --lift-stop` lets it go on',
  });
}
