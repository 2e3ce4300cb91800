import { revalidateAssignment } from '@bailiwick/assignment-resolution';
import { BackendError } from '@bailiwick/backend-contract';
import {
  appendUnauditedEvents,
  batchLockPathOf,
  claimUnaudited,
  listStopIntents,
  loadManifest,
  logPathOf,
  logSizeOf,
  sidecarPathOf,
  type UnauditedRecord,
  withRunLock,
  workTreeOf,
} from '@bailiwick/dispatch-state';
import { acquireLock } from '@bailiwick/durable-files';
import { type BatchId, newBatchId } from '@bailiwick/execution-identity';
import { type DispatchContext, timestampOf } from '../context.ts';
import { prepareDropBoxes } from '../contract/drop-box.ts';
import { aliveAttempts } from '../contract/other-attempts.ts';
import { DispatchError } from '../errors.ts';
import { withClaimLocks } from '../launch/claim-locks.ts';
import { refuseAboveCost } from '../launch/cost-limit.ts';
import { newSessionFor } from '../launch/draft-record.ts';
import { addressOf } from '../observe/attempt-address.ts';
import { refuseBesideUnaudited } from './alive-unaudited.ts';
import type { UnauditedJob } from './plan-unaudited.ts';
import { settleUnlaunched, unauditedEvent } from './settle-unaudited.ts';
import { unauditedOrderOf } from './unaudited-order.ts';

/** How long a command waits for the launch lock of its own new batch; nobody else can hold it. */
const LAUNCH_LOCK_TIMEOUT_MS = 5_000;
const ABORT_GRACE_MS = 2_000;

/** v1 jobs whose workers run under their supervisor. */
export interface LaunchedUnaudited {
  readonly batchId: BatchId;
  readonly records: readonly UnauditedRecord[];
}

/**
 * Launches v1 jobs, which nobody audits (MA-8), and returns once every worker has started or is queued; `awaitRun` settles them. Whoever
 * calls it was told by a person that they may run so (ID-1). Nothing that is audited runs beside them, in any run of the project: what they
 * change would be charged to the wrong ones.
 *
 * @throws DispatchError WORKER_STOPPED, BESIDE_UNAUDITED, COST_LIMIT_REACHED, BATCH_ABORTED; DispatchStateError ATTEMPT_ALREADY_CLAIMED; AssignmentError
 */
export async function dispatchUnaudited(
  context: DispatchContext,
  jobs: readonly UnauditedJob[],
): Promise<LaunchedUnaudited> {
  const batchId = newBatchId();
  const lockPath = batchLockPathOf(context.layout, batchId, 'launch');
  const launchLock = await acquireLock(lockPath, { timeoutMs: LAUNCH_LOCK_TIMEOUT_MS });
  const claimed: UnauditedRecord[] = [];
  try {
    await withClaimLocks(context, async () => {
      await refuseStopped(context, jobs);
      await refuseBesideUnaudited(context);
      await refuseBesideAudited(context);
      await refuseAboveCost(context);
      await revalidate(context, jobs);
      for (const job of jobs) {
        const record = await draftUnaudited(context, job, batchId);
        await claimUnaudited(context.layout, record);
        claimed.push(record);
      }
    });
    await launch(context, claimed, () => launchLock.release());
    return { batchId, records: claimed };
  } catch (error) {
    throw claimed.length === 0 ? error : await abort(context, claimed, error);
  } finally {
    launchLock.release();
  }
}

async function refuseStopped(context: DispatchContext, jobs: readonly UnauditedJob[]): Promise<void> {
  const stopped = new Set((await listStopIntents(context.layout)).map((intent) => intent.workerId));
  const names = jobs.map((job) => job.workerId).filter((workerId) => stopped.has(workerId));
  if (names.length === 0) return;
  throw new DispatchError('WORKER_STOPPED', `stopped, so not dispatched: ${names.join(', ')}`, {
    names,
    hint: '`bailiwick run resume --lift-stop` lets stopped workers run again',
  });
}

async function refuseBesideAudited(context: DispatchContext): Promise<void> {
  const alive = await aliveAttempts(context);
  if (alive.length === 0) return;
  throw new DispatchError(
    'BESIDE_UNAUDITED',
    'audited attempts run here: what an unaudited one changes would be theirs',
    {
      names: alive.map((attempt) => attempt.dispatchLabel),
      hint: '`bailiwick team await` settles them; dispatch the unaudited jobs then',
    },
  );
}

/** The bindings must still stand, as before any attempt (AR-3). */
async function revalidate(context: DispatchContext, jobs: readonly UnauditedJob[]): Promise<void> {
  const { roleExecutions } = await loadManifest(context.layout);
  for (const { roleExecution } of jobs) {
    const { roleExecutionRef, participantRef, executionLabel } = roleExecution;
    const job = { roleExecutionRef, participantRef, executionLabel };
    revalidateAssignment({ job, roleExecutions, pool: context.pool, environment: context.environment });
  }
}

async function draftUnaudited(context: DispatchContext, job: UnauditedJob, batchId: BatchId): Promise<UnauditedRecord> {
  const { layout, manifest } = context;
  const { metadata, roleExecution } = job;
  const { binding, modelRef } = roleExecution;
  if (binding === null || modelRef === null)
    throw new DispatchError('RUNNER_NOT_DISPATCHED', `${job.workerId} has no model bound to it`);
  return {
    schemaVersion: '1.0',
    runId: manifest.runId,
    dispatchId: job.dispatchId,
    workerId: job.workerId,
    attempt: 1,
    invocationId: metadata.invocationId,
    kind: metadata.dispatchKind,
    role: roleExecution.role,
    audience: metadata.audience,
    assignmentRef: metadata.assignmentRef,
    backend: job.backend,
    provider: roleExecution.provider,
    modelRef,
    modelExecutionValue: binding.resolvedExecutionValue,
    hostModelValue: binding.hostModelValue,
    status: 'launching',
    reason: '',
    sessionId: newSessionFor(roleExecution.provider),
    promptPath: job.promptPath,
    promptMetadataPath: job.metadataPath,
    resultPath: job.resultPath,
    workerResultPath: job.workerResultPath,
    completionPaths: job.completionPaths,
    dropBoxPath: job.dropBoxPath,
    statusSidecarPath: sidecarPathOf(layout, job.dispatchId),
    logPath: logPathOf(layout, job.dispatchId),
    dispatchedAt: timestampOf(context),
    batchId,
    worktree: workTreeOf(manifest),
    inputDigest: job.promptDigest,
    limits: manifest.limits,
    enforcementMode: 'unaudited',
    contract: { audited: false, audit: null },
    eventLogOffset: await logSizeOf(layout.eventLogPath),
    errorLogOffset: await logSizeOf(layout.errorLogPath),
    ...NOT_SETTLED,
  };
}

const NOT_SETTLED = {
  finishedAt: null,
  reportedSessionId: null,
  process: null,
  lifecycle: null,
  result: null,
  servedModel: null,
  usage: null,
  endProof: null,
  stoppedBy: null,
} as const satisfies Partial<UnauditedRecord>;

async function launch(
  context: DispatchContext,
  records: readonly UnauditedRecord[],
  onOwned: () => void,
): Promise<void> {
  const [first] = records;
  if (first === undefined) throw new DispatchError('ROSTER_EMPTY', 'there is nothing to start');
  await prepareDropBoxes(context.manifest.projectRoot, context.layout.runDirectory, records);
  const backend = context.backends.get(first.backend);
  if (backend === undefined) throw new DispatchError('BACKEND_UNSUPPORTED', `no backend "${first.backend}" here`);
  const report = await backend.launch(await unauditedOrderOf(context, first, records), { onReady: onOwned });
  if (report.failed.length > 0) {
    const words = report.failed.map((row) => `${row.dispatchId}: ${row.reason}`).join('; ');
    throw new BackendError('LAUNCH_FAILED', `not started: ${words}`);
  }
  const { layout } = context;
  const events = records.map((record) => unauditedEvent(record, 'worker-dispatched', timestampOf(context)));
  await withRunLock(layout, () => appendUnauditedEvents(layout.eventLogPath, events, first.eventLogOffset));
}

/** Ends what was started, settles what was claimed with the failure as its reason (BA-3), and gives the error to raise. */
async function abort(
  context: DispatchContext,
  records: readonly UnauditedRecord[],
  cause: unknown,
): Promise<DispatchError> {
  const words = cause instanceof Error ? cause.message : String(cause);
  const reason = `the launch of the batch was broken off: ${words}`;
  for (const record of records) {
    const backend = context.backends.get(record.backend);
    await backend?.stop([addressOf(context, record, undefined)], { by: reason, graceMs: ABORT_GRACE_MS });
    await settleUnlaunched(context, record, reason);
  }
  return new DispatchError('BATCH_ABORTED', reason, {
    names: records.map((record) => record.dispatchId),
    cause,
    hint: '`bailiwick team status` shows how each attempt was settled',
  });
}
