import {
  awaitRun,
  buildPlan,
  checkBatchShape,
  type DispatchContext,
  type DispatchPlan,
  dispatchBatch,
  interruptAttempts,
  interruptUnaudited,
  planTranslator,
  rosterShape,
} from '@bailiwick/dispatch';
import {
  type AttemptFacts,
  type BackendKind,
  type DispatchRecord,
  listOpenAttempts,
  listStopIntents,
  readAllRecords,
  surveyAttempts,
  type UnauditedRecord,
} from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import { RunError } from '../errors.ts';
import { reportDossier } from '../prompts/report-dossier.ts';
import { reserveTranslation } from '../prompts/reserve-translation.ts';
import { invocationRefOf, writePrompt } from '../prompts/write-prompt.ts';
import { type DueWorker, nextPhase, type Phase, type PhaseStep, RunOutcome, workersOf } from './next-phase.ts';

/** How to drive, and what an interrupt means. */
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

/** A retry was decided that nobody may launch any more: its worker was stopped meanwhile. */
const RETRY_WITHHELD: DriveResult = { kind: 'ended', outcome: RunOutcome.stopped };

/** Takes a run from wherever its records say it stands through all phases. Resuming is the same call. */
export async function driveRun(context: DispatchContext, options: DriveOptions): Promise<DriveResult> {
  await refuseStopped(context);
  let mayRecover = options.mayRecover;
  for (;;) {
    // First what is open: a retry that is owed is launched here, so that no record below is half-way.
    const waited = await settleOrInterrupt(context, options);
    if (waited === 'interrupted' || waited === 'detached') return { kind: waited };
    const step = nextPhase(context.manifest, await allAttempts(context), { mayRecover });
    if (step.kind === 'ended') return { kind: 'ended', outcome: step.outcome };
    if (options.signal.aborted) return { kind: 'interrupted' };
    if (step.kind === 'await' && (await listOpenAttempts(context.layout)).length === 0) return RETRY_WITHHELD;
    if (step.kind === 'dispatch') {
      await dispatchPhase(context, step, options);
      mayRecover = false;
    }
  }
}

/** Where the planned workers are to run. */
export interface PlanOptions {
  readonly backend: BackendKind;
  /** Where prompts that aren't there yet are made; absent: in the run. A dry run names a throw-away folder (PL-4). */
  readonly draftsFolder?: string | undefined;
}

/** Plan of the workers that are due: shape first, then their prompts, made where they aren't there yet (PL-4). */
export async function planDue(
  context: DispatchContext,
  due: readonly DueWorker[],
  options: PlanOptions,
): Promise<DispatchPlan> {
  const { manifest } = context;
  const translation = due.find((worker) => worker.execution.role === 'translator');
  if (translation !== undefined) return planTranslation(context, translation, options);
  checkBatchShape(rosterShape(manifest, workersOf(manifest, due), options.backend), context.backends);
  const records = await recordsToReport(context, due);
  const requests = [];
  for (const worker of due) requests.push(await requestOf(context, worker, { ...options, records }));
  return buildPlan({ manifest, requests, backends: context.backends });
}

/** What is due isn't known where a record can't be read: it is thrown. */
async function allAttempts(context: DispatchContext): Promise<readonly AttemptFacts[]> {
  const { attempts, unreadable } = await surveyAttempts(context.layout);
  for (const { error } of unreadable) throw error;
  return attempts;
}

/** A report is about every attempt; other workers are planned whatever became of somebody else's record (AW-3). */
async function recordsToReport(
  context: DispatchContext,
  due: readonly DueWorker[],
): Promise<readonly DispatchRecord[]> {
  return due.some(({ execution }) => execution.role === 'report-writer') ? readAllRecords(context.layout) : [];
}

/** A translator is planned from its reservation, made here where it isn't there yet; the claim consumes it (TR-2). */
async function planTranslation(context: DispatchContext, due: DueWorker, options: PlanOptions): Promise<DispatchPlan> {
  if (options.draftsFolder === undefined) await reserveTranslation(context, due);
  return planTranslator(context, options.backend);
}

async function requestOf(
  context: DispatchContext,
  { execution, ordinal, recoveryOf }: DueWorker,
  o: PlanOptions & { readonly records: readonly DispatchRecord[] },
) {
  const isReport = execution.role === 'report-writer';
  const ref = invocationRefOf(context.manifest, execution, ordinal);
  const promptPath = await writePrompt(context.layout, context.manifest, {
    execution,
    ordinal,
    dossier: isReport ? await reportDossier(context, o.records) : '',
    isUnclaimed: isReport && !o.records.some((record) => record.invocationRef === ref),
    folder: o.draftsFolder,
  });
  return {
    promptPath,
    backend: o.backend,
    ...(recoveryOf === null ? {} : { recoveryOf: recoveryOf.invocationRef }),
  };
}

async function dispatchPhase(
  context: DispatchContext,
  step: Extract<PhaseStep, { kind: 'dispatch' }>,
  options: DriveOptions,
): Promise<void> {
  options.onPhase(step.phase, workersOf(context.manifest, step.due));
  await dispatchBatch(context, await planDue(context, step.due, { backend: options.backend }));
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
  const isOurs = ({ batchId }: { readonly batchId: BatchId }) => o.launched?.has(batchId) ?? true;
  const ours = { running: report.running.filter(isOurs), unaudited: (report.unaudited ?? []).filter(isOurs) };
  await endInterrupted(context, ours, o.hurry);
  const batchIds = new Set([...ours.running, ...ours.unaudited].map((record) => record.batchId));
  await awaitRun(context, { batchIds });
  return 'interrupted';
}

async function endInterrupted(
  context: DispatchContext,
  ours: { readonly running: readonly DispatchRecord[]; readonly unaudited: readonly UnauditedRecord[] },
  hurry: AbortSignal,
): Promise<void> {
  const { graceMs } = context.manifest.limits;
  const end = async (ms: number): Promise<void> => {
    const request = { by: 'interrupt', graceMs: ms };
    await interruptAttempts(context, ours.running, request);
    await interruptUnaudited(context, ours.unaudited, request);
  };
  let hurried = Promise.resolve();
  const atOnce = (): void => {
    // What can't be ended is said by the first one, which is waited for as well.
    hurried = end(0).catch(() => undefined);
  };
  hurry.addEventListener('abort', atOnce, { once: true });
  await end(hurry.aborted ? 0 : graceMs);
  hurry.removeEventListener('abort', atOnce);
  await hurried;
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
