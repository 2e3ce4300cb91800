import { findProvider } from '@bailiwick/agent-providers';
import { type DispatchRecord, logPathOf, sidecarPathOf } from '@bailiwick/dispatch-state';
import { newSessionId, type SessionId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import type { DraftContract } from '../contract/draft-contract.ts';
import { DispatchError } from '../errors.ts';

/** At most two attempts per invocation, over all processes (RT-1). */
const MAX_ATTEMPTS = 2;

/** What the records of one batch have in common. */
export interface BatchFacts {
  readonly batchId: DispatchRecord['batchId'];
  readonly batchInvocations: DispatchRecord['batchInvocations'];
  readonly dispatchedAt: string;
  readonly snapshotPath: string;
  readonly sourceDigest: DispatchRecord['sourceDigest'];
  readonly eventLogOffset: number;
  readonly errorLogOffset: number;
  readonly orchestratorDigests: DispatchRecord['orchestratorDigests'];
}

/** The first attempt's record, as it is claimed. Pure but for the new session id. */
export function draftRecord(context: DispatchContext, draft: DraftContract, facts: BatchFacts): DispatchRecord {
  const { job, contract } = draft;
  const { layout } = context;
  return {
    ...identityFields(draft),
    ...assignmentFields(draft),
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    runId: context.manifest.runId,
    dispatchId: job.dispatchId,
    maxAttempts: MAX_ATTEMPTS,
    backend: job.backend,
    wantedBackend: job.backend,
    degradedFrom: null,
    degradedReason: null,
    status: 'launching',
    reason: '',
    paneId: null,
    sessionId: newSessionFor(job.roleExecution.provider),
    promptPath: job.promptPath,
    promptMetadataPath: job.metadataPath,
    resultPath: job.resultPath,
    workerResultPath: job.workerResultPath,
    completionPaths: job.completionPaths,
    dropBoxPath: job.dropBoxPath,
    statusSidecarPath: sidecarPathOf(layout, job.dispatchId),
    logPath: logPathOf(layout, job.dispatchId),
    livenessMode: 'supervisor-lock',
    dispatchedAt: facts.dispatchedAt,
    batchId: facts.batchId,
    batchInvocations: facts.batchInvocations,
    worktree: contract.policy.worktree,
    inputDigest: job.promptDigest,
    sourceDigest: facts.sourceDigest,
    limits: context.manifest.limits,
    enforcementMode: 'core-pre-dispatch',
    writePolicyDigest: contract.digest,
    writeEnforcement: contract.enforcement,
    mutationAuditSnapshotPath: facts.snapshotPath,
    orchestratorDigests: facts.orchestratorDigests,
    eventLogOffset: facts.eventLogOffset,
    errorLogOffset: facts.errorLogOffset,
    ...NOT_SETTLED,
  };
}

/** What a record says before anything is known of its end. */
export const NOT_SETTLED = {
  finishedAt: null,
  reportedSessionId: null,
  process: null,
  lifecycle: null,
  contract: null,
  result: null,
  retry: null,
  servedModel: null,
  usage: null,
  endProof: null,
  stoppedBy: null,
  evidence: null,
} as const satisfies Partial<DispatchRecord>;

/** A new session for a provider that takes one, else the empty string (RT-2). */
export function newSessionFor(providerId: string): SessionId | '' {
  return findProvider(providerId).session === 'flag' ? newSessionId() : '';
}

function identityFields({ job }: DraftContract) {
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = job.metadata;
  const { invocationId, dispatchKind: kind, audience, assignmentRef } = job.metadata;
  const { role } = job.roleExecution;
  return {
    participantRef,
    roleExecutionRef,
    invocationRef,
    executionLabel,
    dutyId,
    attempt,
    invocationId,
    kind,
    audience,
    assignmentRef,
    role,
  };
}

function assignmentFields({ job }: DraftContract) {
  const { provider, modelRef, modelSpecDigest, binding } = job.roleExecution;
  if (modelRef === null || modelSpecDigest === null || binding === null)
    throw new DispatchError('RUNNER_NOT_DISPATCHED', `${job.metadata.executionLabel} has no model bound to it`);
  return {
    provider,
    modelRef,
    modelSpecDigest,
    modelExecutionValue: binding.resolvedExecutionValue,
    hostModelValue: binding.hostModelValue,
  };
}
