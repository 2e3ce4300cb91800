import { lstat } from 'node:fs/promises';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { isDurableFileError } from '@bailiwick/durable-files';
import {
  compareWithSnapshot,
  isMutationAuditError,
  type JobContract,
  type JudgeInput,
  judgeAttempt,
  type MutationAudit,
  type TamperedPath,
  type TreeObservation,
  unverifiableAudit,
} from '@bailiwick/mutation-audit';
import { isWritePolicyError, type WriteContract } from '@bailiwick/write-policy';
import { askedOnce } from '../asked-once.ts';
import type { DispatchContext } from '../context.ts';
import { type DigestOnce, digestOnce } from '../contract/digest-once.ts';
import { orchestratorPathsOf } from '../contract/orchestrator-paths.ts';
import { aliveElsewhere, attemptsSettledSince } from '../contract/other-attempts.ts';
import { storedContract } from '../contract/stored-contract.ts';
import { isDispatchError } from '../errors.ts';
import { bothEnded } from '../several-at-once.ts';
import type { Collected } from './collect-artifacts.ts';

/** What the tree looked like at a quiescent point: compared once, then judged for every attempt that ended. */
export type BatchObservation =
  | { readonly kind: 'observed'; readonly observation: TreeObservation; readonly standing: BatchStanding }
  | { readonly kind: 'unverifiable'; readonly reason: string }
  /** No baseline was ever taken, so no worker was ever started (protocol, Launch 2). */
  | { readonly kind: 'nothing-started' };

/** What every attempt of a batch is judged by, read once for all of them. */
interface BatchStanding {
  /** The stored contract of a member. Rejects as `storedContract`. */
  readonly contractOf: (invocationRef: DispatchRecord['invocationRef']) => Promise<WriteContract>;
  /** Workers of other batches that may have written in the same tree meanwhile: candidates, and no fault of this one's. */
  readonly liveElsewhere: readonly JobContract[];
  /** Of files that the attempts share. */
  readonly digestOf: DigestOnce;
  /** Those that have been settled since this batch was claimed. */
  readonly settledElsewhere: () => Promise<readonly JobContract[]>;
}

async function standingOf(context: DispatchContext, record: DispatchRecord): Promise<BatchStanding> {
  const contractOf = askedOnce((ref: DispatchRecord['invocationRef']) => storedContract(context, ref));
  const digestOf = digestOnce();
  // Asked for already, in the time that comparing takes; whoever judges by it is told why it can't be had.
  const aboutFirst = Promise.allSettled([contractOf(record.invocationRef), tamperedPaths(record, digestOf)]);
  const [liveElsewhere] = await bothEnded(aliveElsewhere(context, record.batchId), aboutFirst);
  const settledElsewhere = askedOnce<void, readonly JobContract[]>(() => attemptsSettledSince(context, record));
  return { contractOf, digestOf, liveElsewhere, settledElsewhere };
}

/** Compares the tree with the batch's baseline; never with a fresh one (MA-7). The caller has proven quiescence. */
export async function observeBatch(
  context: DispatchContext,
  record: DispatchRecord,
  wasStarted: boolean,
): Promise<BatchObservation> {
  const snapshotPath = record.mutationAuditSnapshotPath;
  if (snapshotPath === null)
    return { kind: 'unverifiable', reason: 'the attempt was to be audited by call, which this backend does not do' };
  if (!wasStarted && !(await exists(snapshotPath))) return { kind: 'nothing-started' };
  try {
    // Comparing keeps the processor busy, what it is judged by waits for the disk.
    const [observation, standing] = await bothEnded(compareWithSnapshot({ snapshotPath }), standingOf(context, record));
    return { kind: 'observed', observation, standing };
  } catch (error) {
    if (!isMutationAuditError(error)) throw error;
    return { kind: 'unverifiable', reason: error.message };
  }
}

/** One attempt that is to be judged. */
export interface AuditedAttempt {
  readonly record: DispatchRecord;
  readonly collected: Collected;
  readonly isFailed: boolean;
}

/** Judges one attempt by the contracts of its whole batch (MA-9); null where nothing was started. */
export async function auditAttempt(
  context: DispatchContext,
  observed: BatchObservation,
  attempt: AuditedAttempt,
  batch: readonly AuditedAttempt[],
): Promise<MutationAudit | null> {
  if (observed.kind === 'nothing-started') return null;
  if (observed.kind === 'unverifiable') return unverifiableAudit(observed.reason);
  const contracts = await contractsOf(observed.standing, attempt.record, batch);
  if (typeof contracts === 'string') return unverifiableAudit(contracts);
  const { self, members } = contracts;
  const input: JudgeInput = {
    observation: observed.observation,
    self,
    batch: members,
    declaredEdits: new Map(
      batch.map(({ record, collected }) => [record.dispatchId, collected.workerResult.outOfPlanEdits]),
    ),
    attemptFailed: attempt.isFailed,
    resultPresent: attempt.collected.missing.length === 0,
    orchestratorTampered: await tamperedPaths(attempt.record, observed.standing.digestOf),
    orchestrator: orchestratorPathsOf(context),
    liveElsewhere: observed.standing.liveElsewhere,
  };
  return judgeWithNeighbours(input, observed.standing);
}

/** What is left to explain may be the work of somebody else who has ended meanwhile. */
async function judgeWithNeighbours(input: JudgeInput, standing: BatchStanding): Promise<MutationAudit> {
  const audit = judgeAttempt(input);
  if (audit.violations.length === 0) return audit;
  const settled = await standing.settledElsewhere();
  if (settled.length === 0) return audit;
  return judgeAttempt({ ...input, liveElsewhere: [...standing.liveElsewhere, ...settled] });
}

/** The stored contracts of the batch, own first; a reason where one can't be had or was changed (WP-6). */
async function contractsOf(
  { contractOf }: BatchStanding,
  record: DispatchRecord,
  batch: readonly AuditedAttempt[],
): Promise<{ readonly self: JobContract; readonly members: readonly JobContract[] } | string> {
  try {
    const others = record.batchInvocations.filter((ref) => ref !== record.invocationRef);
    const contract = await contractOf(record.invocationRef);
    if (contract.digest !== record.writePolicyDigest)
      return `the stored contract of ${record.invocationRef} isn't the one it was launched under`;
    const self: JobContract = { dispatchId: record.dispatchId, label: record.executionLabel, contract };
    const byInvocation = new Map(batch.map((row) => [row.record.invocationRef, row.record]));
    const rest = await Promise.all(
      others.map(async (ref) => {
        // One that was settled in an earlier round is known by its invocation.
        const member = byInvocation.get(ref);
        const label = member?.executionLabel ?? ref;
        return { dispatchId: member?.dispatchId ?? ref, label, contract: await contractOf(ref) };
      }),
    );
    return { self, members: [self, ...rest] };
  } catch (error) {
    if (isWritePolicyError(error) || isDispatchError(error) || isDurableFileError(error)) return error.message;
    throw error;
  }
}

/** Files of the orchestrator that aren't as their owner left them (MA-1). */
async function tamperedPaths(record: DispatchRecord, digestOf: DigestOnce): Promise<readonly TamperedPath[]> {
  const found = await Promise.all(
    record.orchestratorDigests.map(async ({ path, digest }) => {
      const now = await digestOf(path).catch(() => undefined);
      return now === digest
        ? undefined
        : { path, message: now === undefined ? `${path} is gone` : `${path} was changed` };
    }),
  );
  return found.filter((row) => row !== undefined);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
