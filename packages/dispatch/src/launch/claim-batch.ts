import { revalidateAssignment } from '@bailiwick/assignment-resolution';
import {
  alreadyClaimed,
  appendSelection,
  claimAttempt,
  type DispatchRecord,
  type Invocation,
  listStopIntents,
  loadManifest,
  logSizeOf,
  readRecord,
  recordPathOf,
  saveInvocation,
  snapshotPathOf,
} from '@bailiwick/dispatch-state';
import { type BatchId, roundOfDispatchKind } from '@bailiwick/execution-identity';
import { type DispatchContext, timestampOf } from '../context.ts';
import { type DigestOnce, digestOnce } from '../contract/digest-once.ts';
import { checkBatchContracts, type DraftContract } from '../contract/draft-contract.ts';
import { sourceDigestOf } from '../contract/source.ts';
import { DispatchError } from '../errors.ts';
import type { DispatchPlan, WorkerJob } from '../plan/job.ts';
import { mapSeveral } from '../several-at-once.ts';
import { refuseBesideUnaudited } from '../unaudited/alive-unaudited.ts';
import { abortBatch } from './abort-batch.ts';
import { withClaimLocks } from './claim-locks.ts';
import { refuseAboveCost } from './cost-limit.ts';
import { draftRecord } from './draft-record.ts';

/** The jobs of one command with their contracts, and whom it leaves aside. */
export interface BatchClaim {
  readonly batchId: BatchId;
  readonly drafts: readonly DraftContract[];
  readonly skipped: DispatchPlan['skipped'];
}

/**
 * Claims every attempt of a batch, or none: under the locks no worker is stopped, every binding still stands, no attempt is
 * claimed already and nobody alive in the tree could write the same (WP-7); then invocations with their contracts and records are durable, in this order (BA-2, BA-6, WP-6). A claim
 * that fails half-way settles what it has claimed (BA-3).
 */
export async function claimBatch(context: DispatchContext, claim: BatchClaim): Promise<readonly DispatchRecord[]> {
  let records: readonly DispatchRecord[] = [];
  const source = await sourceDigestOf(context.manifest);
  try {
    await withClaimLocks(context, async () => {
      await refuseUnclaimable(
        context,
        claim.drafts.map((draft) => draft.job),
      );
      await checkBatchContracts(context, claim.drafts);
      await revalidateAll(context, claim);
      records = await draftRecords(context, claim, source);
      await mapSeveral(claim.drafts, (draft) => saveInvocation(context.layout, invocationOf(draft)));
      await noteSelection(context, claim);
      await mapSeveral(records, (record) => claimAttempt(context.layout, record));
    });
    return records;
  } catch (error) {
    const claimed = await standingOf(context, records);
    throw claimed.length === 0 ? error : await abortBatch(context, claimed, error);
  }
}

/** Records of ours that stand: a claim may fail after its record has its name, as where the folder can't be flushed. */
export async function standingOf(
  context: DispatchContext,
  records: readonly DispatchRecord[],
): Promise<readonly DispatchRecord[]> {
  const found = await mapSeveral(records, ({ dispatchId }) =>
    readRecord(context.layout, dispatchId).catch(() => undefined),
  );
  return records.filter(({ batchId }, index) => found[index]?.batchId === batchId);
}

/**
 * Refuses, by name, jobs whose worker was stopped or whose attempt is claimed, and all of them where the run has cost what it may; true
 * for sure only under the run lock.
 */
export async function refuseUnclaimable(context: DispatchContext, jobs: readonly WorkerJob[]): Promise<void> {
  await refuseBesideUnaudited(context);
  await refuseStopped(context, jobs);
  await refuseClaimed(context, jobs);
  await refuseAboveCost(context);
}

/** A worker that was stopped starts no attempt, in any process (AW-6). */
async function refuseStopped(context: DispatchContext, jobs: readonly WorkerJob[]): Promise<void> {
  const stopped = new Set((await listStopIntents(context.layout)).map((intent) => intent.workerId));
  const names = jobs.map((job) => job.workerId).filter((workerId) => stopped.has(workerId));
  if (names.length === 0) return;
  throw new DispatchError('WORKER_STOPPED', `stopped, so not dispatched: ${names.join(', ')}`, {
    names,
    hint: '`bailiwick run resume --lift-stop` lets stopped workers run again',
  });
}

async function refuseClaimed(context: DispatchContext, jobs: readonly WorkerJob[]): Promise<void> {
  const ids = jobs.map((job) => job.dispatchId);
  const found = await mapSeveral(ids, (id) => readRecord(context.layout, id));
  const claimed = ids.filter((_, index) => found[index] !== undefined);
  const [first] = claimed;
  if (first !== undefined) throw alreadyClaimed(claimed, recordPathOf(context.layout, first));
}

/** From the manifest as it is on disk now, touching the job's own row alone (AR-3, AR-4). */
async function revalidateAll(context: DispatchContext, claim: BatchClaim): Promise<void> {
  const manifest = await loadManifest(context.layout);
  for (const { job } of claim.drafts) {
    const { roleExecutionRef, participantRef, executionLabel } = job.metadata;
    revalidateAssignment({
      job: { roleExecutionRef, participantRef, executionLabel },
      roleExecutions: manifest.roleExecutions,
      pool: context.pool,
      environment: context.environment,
    });
  }
}

async function draftRecords(
  context: DispatchContext,
  claim: BatchClaim,
  source: DispatchRecord['sourceDigest'],
): Promise<readonly DispatchRecord[]> {
  const common = {
    batchId: claim.batchId,
    batchInvocations: claim.drafts.map((draft) => draft.job.metadata.invocationRef),
    dispatchedAt: timestampOf(context),
    snapshotPath: snapshotPathOf(context.layout, claim.batchId),
    sourceDigest: source,
    eventLogOffset: await logSizeOf(context.layout.eventLogPath),
    errorLogOffset: await logSizeOf(context.layout.errorLogPath),
  };
  const digestOf = digestOnce();
  return mapSeveral(claim.drafts, async (draft) =>
    draftRecord(context, draft, { ...common, orchestratorDigests: await guardedDigests(context, draft, digestOf) }),
  );
}

/** What no worker may touch although it lies in the same file system: compared again at settlement (MA-1). */
async function guardedDigests(
  context: DispatchContext,
  draft: DraftContract,
  digestOf: DigestOnce,
): Promise<DispatchRecord['orchestratorDigests']> {
  const paths = [context.layout.manifestPath, draft.job.promptPath, draft.job.metadataPath, ...context.guardedFiles];
  return Promise.all(paths.map(async (path) => ({ path, digest: await digestOf(path) })));
}

async function noteSelection(context: DispatchContext, claim: BatchClaim): Promise<void> {
  await appendSelection(context.layout, {
    at: timestampOf(context),
    batchId: claim.batchId,
    selected: claim.drafts.map((draft) => draft.job.workerId),
    skipped: claim.skipped,
  });
}

function invocationOf({ job, contract }: DraftContract): Invocation {
  const { invocationRef, participantRef, roleExecutionRef, dutyId, dispatchKind } = job.metadata;
  return {
    schemaVersion: '1.0',
    invocationRef,
    participantRef,
    roleExecutionRef,
    sourceInvocationRef: null,
    recoveryRef: job.recoveryOf,
    dutyId,
    dispatchKind,
    round: roundOfDispatchKind(dispatchKind),
    inputDigest: job.promptDigest,
    writePolicy: contract.policy,
    writePolicyDigest: contract.digest,
    writeEnforcement: contract.enforcement,
  };
}
