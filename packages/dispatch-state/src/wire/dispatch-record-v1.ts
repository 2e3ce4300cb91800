import {
  assignmentRefField,
  attemptField,
  audienceField,
  batchIdField,
  dispatchIdField,
  dispatchKindField,
  invocationIdField,
  roleField,
  runIdField,
  sessionIdField,
  workerIdField,
} from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { DispatchStatus } from '../stages.ts';
import { LifecycleV1, ResultV1 } from './dispatch-record-v2.ts';
import {
  AbsolutePath,
  Backends,
  ByteCount,
  DigestText,
  EndProofs,
  ExecutionValue,
  HostModelValue,
  LimitsV1,
  ModelRefText,
  ProcessIdentityV1,
  ProviderId,
  ServedModelV1,
  Timestamp,
  UsageV1,
} from './fields.ts';

/** `unaudited/<dispatchId>.json`, version 1.0: an attempt of a v1 job. What a schema can't say is in `unauditedIssues`. */
export const DispatchRecordV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  runId: runIdField,
  dispatchId: dispatchIdField,
  workerId: workerIdField,
  attempt: attemptField,
  invocationId: invocationIdField,
  kind: dispatchKindField,
  role: roleField,
  audience: audienceField,
  assignmentRef: assignmentRefField,
  backend: Backends,
  provider: ProviderId,
  modelRef: ModelRefText,
  modelExecutionValue: ExecutionValue,
  hostModelValue: HostModelValue,
  status: z.enum(DispatchStatus),
  reason: z.string(),
  sessionId: z.union([sessionIdField, z.literal('')]),
  reportedSessionId: z.string().nullable(),
  promptPath: AbsolutePath,
  promptMetadataPath: AbsolutePath,
  resultPath: AbsolutePath,
  workerResultPath: AbsolutePath,
  completionPaths: z.array(AbsolutePath).min(1),
  dropBoxPath: AbsolutePath,
  statusSidecarPath: AbsolutePath,
  logPath: AbsolutePath,
  dispatchedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  batchId: batchIdField,
  worktree: AbsolutePath,
  inputDigest: DigestText,
  limits: LimitsV1,
  enforcementMode: z.literal('unaudited'),
  contract: z.strictObject({ audited: z.literal(false), audit: z.null() }),
  process: ProcessIdentityV1.nullable(),
  lifecycle: LifecycleV1.nullable(),
  result: ResultV1.nullable(),
  servedModel: ServedModelV1.nullable(),
  usage: UsageV1.nullable(),
  endProof: EndProofs.nullable(),
  stoppedBy: z.string().nullable(),
  eventLogOffset: ByteCount,
  errorLogOffset: ByteCount,
});

const who = { dispatchId: dispatchIdField, workerId: workerIdField, attempt: attemptField };

/** A line of `lead-events.jsonl` about a v1 job, version 1.0. */
export const UnauditedEventV1 = z.strictObject({
  at: Timestamp,
  runId: runIdField,
  type: z.enum(['worker-dispatched', 'worker-result-collected', 'worker-failed']),
  details: z.strictObject({
    ...who,
    dispatchMode: Backends,
    promptPath: AbsolutePath,
    resultPath: AbsolutePath,
    workerResultPath: AbsolutePath,
    mutationAudit: z.null(),
    exitCode: z.int().nullable(),
    reason: z.string(),
    missingCompletionPaths: z.array(AbsolutePath),
    stoppedBy: z.string().nullable(),
  }),
});

/** A line of `error-log.jsonl` about a v1 job, version 1.0. */
export const UnauditedErrorRowV1 = z.strictObject({
  at: Timestamp,
  runId: runIdField,
  ...who,
  message: z.string(),
  logPath: AbsolutePath,
  logTail: z.string(),
});
