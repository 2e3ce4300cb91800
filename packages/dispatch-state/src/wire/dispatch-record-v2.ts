import {
  assignmentRefField,
  audienceField,
  batchIdField,
  dispatchIdField,
  dispatchKindField,
  identityFields,
  invocationIdField,
  invocationRefField,
  roleField,
  runIdField,
  sessionIdField,
} from '@bailiwick/execution-identity/schema';
import { MutationAuditV1 } from '@bailiwick/mutation-audit';
import { WriteEnforcementV1 } from '@bailiwick/write-policy';
import { z } from 'zod';
import { DispatchStatus, Stage } from '../stages.ts';
import {
  AbsolutePath,
  Backends,
  ByteCount,
  DigestText,
  EndProofs,
  Evidence,
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

export const LifecycleV1 = z.strictObject({
  end: z.enum([...Object.values(Stage), 'lost']),
  endProof: EndProofs,
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endEvidence: Evidence,
  transientFailure: z.boolean(),
});

const LayerV1 = z.strictObject({
  altered: z.array(z.string().min(1)),
  alteredCount: z.int().min(0),
  problem: z.string().min(1).nullable(),
});

const ContractV1 = z.strictObject({
  audited: z.boolean(),
  audit: MutationAuditV1.nullable(),
  layer: LayerV1.exactOptional(),
});

const ArtifactV1 = z.strictObject({
  path: AbsolutePath,
  copy: z.string().min(1),
  digest: DigestText,
  bytes: ByteCount,
});

export const ResultV1 = z.strictObject({
  isTaken: z.boolean(),
  artifacts: z.array(ArtifactV1),
  missing: z.array(AbsolutePath),
  verdict: z.enum(['pass', 'fail']).nullable(),
  summary: z.string().nullable(),
  link: z.strictObject({ ok: z.boolean(), reason: z.string() }).nullable(),
  postProcessing: z.array(z.string()),
});

const RetryV1 = z.strictObject({
  reason: z.string(),
  missingCompletionPaths: z.array(AbsolutePath),
  successor: dispatchIdField,
});

const EvidenceV1 = z.strictObject({ sealRef: z.string().min(1).nullable(), reason: z.string().min(1).nullable() });

/** `dispatches/<dispatchId>.json`, version 2.0. What a schema can't say is in `recordIssues`. */
export const DispatchRecordV2 = z.strictObject({
  schemaVersion: z.literal('2.0'),
  executionIdentityVersion: z.literal(2),
  runId: runIdField,
  ...identityFields,
  maxAttempts: identityFields.attempt,
  dispatchId: dispatchIdField,
  kind: dispatchKindField,
  role: roleField,
  backend: Backends,
  wantedBackend: Backends,
  degradedFrom: Backends.nullable(),
  degradedReason: z.string().nullable(),
  provider: ProviderId,
  modelRef: ModelRefText,
  modelExecutionValue: ExecutionValue,
  hostModelValue: HostModelValue,
  modelSpecDigest: DigestText,
  status: z.enum(DispatchStatus),
  reason: z.string(),
  paneId: z.string().nullable(),
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
  livenessMode: z.literal('supervisor-lock'),
  dispatchedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  batchId: batchIdField,
  worktree: AbsolutePath,
  inputDigest: DigestText,
  sourceDigest: DigestText.nullable(),
  limits: LimitsV1,
  invocationId: invocationIdField,
  audience: audienceField,
  assignmentRef: assignmentRefField,
  enforcementMode: z.literal('core-pre-dispatch'),
  writePolicyDigest: DigestText,
  writeEnforcement: WriteEnforcementV1,
  mutationAuditSnapshotPath: AbsolutePath.nullable(),
  process: ProcessIdentityV1.nullable(),
  lifecycle: LifecycleV1.nullable(),
  contract: ContractV1.nullable(),
  result: ResultV1.nullable(),
  retry: RetryV1.nullable(),
  servedModel: ServedModelV1.nullable(),
  usage: UsageV1.nullable(),
  endProof: EndProofs.nullable(),
  stoppedBy: z.string().nullable(),
  evidence: EvidenceV1.nullable(),
  batchInvocations: z.array(invocationRefField).min(1),
  orchestratorDigests: z.array(z.strictObject({ path: AbsolutePath, digest: DigestText })),
  eventLogOffset: ByteCount,
  errorLogOffset: ByteCount,
});
