import { STOPPED_AS_LOST } from '@bailiwick/backend-contract';
import {
  appendUnauditedError,
  appendUnauditedEvents,
  batchLockPathOf,
  isTerminalStage,
  isTerminalStatus,
  type Lifecycle,
  LOG_TAIL_BYTES,
  readSidecar,
  readStopIntent,
  readTail,
  readUnauditedEvents,
  requireUnaudited,
  type StatusSidecar,
  type UnauditedEvent,
  type UnauditedRecord,
  withRunLock,
  writeUnaudited,
} from '@bailiwick/dispatch-state';
import { tryLock } from '@bailiwick/durable-files';
import { type DispatchContext, timestampOf } from '../context.ts';
import { addressOf } from '../observe/attempt-address.ts';
import { collectArtifacts } from '../settle/collect-artifacts.ts';
import { decideOutcome, type Outcome } from '../settle/decide-outcome.ts';

/** How long an attempt's tree may take to end politely when no supervisor is left to do it. */
const RECLAIM_GRACE_MS = 2_000;

/**
 * Settles an attempt of a v1 job that nobody owns any more; the caller holds none of its batch's locks. False where another process is at
 * it, or its tree can't be shown to have ended. Its result counts as any other's, but nothing is said of what it changed (MA-8).
 */
export async function settleUnaudited(context: DispatchContext, record: UnauditedRecord): Promise<boolean> {
  const purposes = ['settle', 'launch', 'live'] as const;
  const locks = purposes.map((purpose) => tryLock(batchLockPathOf(context.layout, record.batchId, purpose)));
  try {
    if (locks.includes(undefined)) return false;
    const current = await requireUnaudited(context.layout, record.dispatchId);
    if (isTerminalStatus(current.status)) return true;
    return await settleHeld(context, current, null);
  } finally {
    for (const lock of locks) lock?.release();
  }
}

/** As `settleUnaudited`, for a launch that was broken off; the caller holds the launch lock. */
export async function settleUnlaunched(
  context: DispatchContext,
  record: UnauditedRecord,
  abortReason: string,
): Promise<boolean> {
  return settleHeld(context, record, abortReason);
}

async function settleHeld(
  context: DispatchContext,
  record: UnauditedRecord,
  abortReason: string | null,
): Promise<boolean> {
  const sidecar = await readSidecar(record.statusSidecarPath);
  const end = await endOf(context, record, sidecar);
  if (end === undefined) return false;
  const settled = await settledForm(context, record, { sidecar, abortReason, ...end });
  await writeUnaudited(context.layout, settled);
  await tell(context, settled);
  return true;
}

interface KnownEnd {
  readonly lifecycle: Lifecycle;
  readonly endReason: string;
}

/** Undefined where something of it may still live. */
async function endOf(
  context: DispatchContext,
  record: UnauditedRecord,
  sidecar: StatusSidecar | undefined,
): Promise<KnownEnd | undefined> {
  const common = {
    exitCode: sidecar?.exitCode ?? null,
    signal: sidecar?.signal ?? null,
    endEvidence: sidecar?.endEvidence ?? 'absent',
    transientFailure: sidecar?.transientFailure ?? false,
  };
  if (sidecar !== undefined && isTerminalStage(sidecar.stage))
    return { lifecycle: { ...common, end: sidecar.stage, endProof: sidecar.endProof }, endReason: sidecar.reason };
  const backend = context.backends.get(record.backend);
  const address = addressOf(context, record, sidecar);
  const [outcome] = (await backend?.stop([address], { by: STOPPED_AS_LOST, graceMs: RECLAIM_GRACE_MS })) ?? [];
  if (outcome?.isGone === false) return undefined;
  const endReason = sidecar === undefined ? 'its launch was cut off before anything ran' : 'its supervisor died';
  return { lifecycle: { ...common, end: 'lost', endProof: outcome?.endProof ?? 'unknown' }, endReason };
}

async function settledForm(
  context: DispatchContext,
  record: UnauditedRecord,
  o: KnownEnd & { readonly sidecar: StatusSidecar | undefined; readonly abortReason: string | null },
): Promise<UnauditedRecord> {
  const { lifecycle, endReason, sidecar } = o;
  const { artifacts, missing, workerResult } = await collectArtifacts(context, record);
  const intent = await readStopIntent(context.layout, record.workerId);
  const isStopped = lifecycle.end === 'stopped' || (lifecycle.end === 'lost' && intent !== undefined);
  const outcome = withoutDoubt(
    decideOutcome({
      invocationRef: null,
      attempt: record.attempt,
      maxAttempts: record.attempt,
      lifecycle,
      endReason,
      logPath: record.logPath,
      missing,
      audit: null,
      isStopped,
      abortReason: o.abortReason,
      postProcessing: null,
      layerNote: '',
    }),
    lifecycle,
  );
  const { verdict, summary } = workerResult;
  return {
    ...record,
    status: outcome.status,
    reason: outcome.reason,
    finishedAt: timestampOf(context),
    reportedSessionId: sidecar?.reportedSessionId ?? null,
    process: sidecar?.process ?? null,
    lifecycle,
    result: { isTaken: outcome.takesResult, artifacts, missing, verdict, summary, link: null, postProcessing: [] },
    servedModel: sidecar?.servedModel ?? null,
    usage: sidecar?.usage ?? null,
    endProof: lifecycle.endProof,
    stoppedBy: outcome.status === 'stopped' ? (intent?.by ?? endReason) : null,
  };
}

/** A non-zero exit completes only where it is known that nothing was changed (ST-1): here nobody knows. */
function withoutDoubt(outcome: Outcome, { exitCode }: Lifecycle): Outcome {
  if (outcome.status !== 'completed' || exitCode === 0) return outcome;
  const reason = `exit code ${exitCode}, and nobody audited whether it changed anything`;
  return { status: 'error', reason, retry: null, takesResult: false };
}

/** Brings the logs into line with terminal records whose writer was cut off before it told (ST-4); safe to repeat. */
export async function tellUnaudited(context: DispatchContext, records: readonly UnauditedRecord[]): Promise<void> {
  const ended = records.filter(({ status }) => isTerminalStatus(status));
  if (ended.length === 0) return;
  const from = Math.min(...ended.map(({ eventLogOffset }) => eventLogOffset));
  const events = await readUnauditedEvents(context.layout.eventLogPath, from);
  const told = new Set(events.filter(({ type }) => type !== 'worker-dispatched').map((one) => one.details.dispatchId));
  for (const record of ended) if (!told.has(record.dispatchId)) await tell(context, record);
}

/** Error row and events of a terminal record, each once; the event of its end comes last, so that it says that all was told. */
async function tell(context: DispatchContext, record: UnauditedRecord): Promise<void> {
  const { layout } = context;
  const at = timestampOf(context);
  const end = record.status === 'completed' ? 'worker-result-collected' : 'worker-failed';
  const types = record.process === null ? ([end] as const) : (['worker-dispatched', end] as const);
  const logTail = await readTail(record.logPath, LOG_TAIL_BYTES);
  await withRunLock(layout, async () => {
    if (end === 'worker-failed') {
      const { runId, dispatchId, workerId, attempt, logPath } = record;
      const row = { at, runId, dispatchId, workerId, attempt, message: record.reason, logPath, logTail };
      await appendUnauditedError(layout.errorLogPath, row, record.errorLogOffset);
    }
    const events = types.map((type) => unauditedEvent(record, type, at));
    await appendUnauditedEvents(layout.eventLogPath, events, record.eventLogOffset);
  });
}

/** What the event log says of a v1 job: its worker id, none of the refs, and no audit (ID-6). */
export function unauditedEvent(record: UnauditedRecord, type: UnauditedEvent['type'], at: string): UnauditedEvent {
  const { dispatchId, workerId, attempt, promptPath, resultPath, workerResultPath } = record;
  return {
    at,
    runId: record.runId,
    type,
    details: {
      dispatchId,
      workerId,
      attempt,
      dispatchMode: record.backend,
      promptPath,
      resultPath,
      workerResultPath,
      mutationAudit: null,
      exitCode: record.lifecycle?.exitCode ?? null,
      reason: record.reason,
      missingCompletionPaths: record.result?.missing ?? [],
      stoppedBy: record.stoppedBy,
    },
  };
}
