import { TerminalBackend } from '@bailiwick/assignment-resolution';
import { BindingV1 } from '@bailiwick/assignment-resolution/schema';
import {
  executionLabelField,
  participantRefField,
  roleExecutionRefField,
  roleField,
  runIdField,
  taskKeyField,
  workerIdField,
} from '@bailiwick/execution-identity/schema';
import { GitPermission, IgnoredPaths } from '@bailiwick/write-policy';
import { z } from 'zod';
import { Isolation } from '../stages.ts';
import {
  AbsolutePath,
  DigestText,
  ExecutionValue,
  HostModelValue,
  LimitsV1,
  ModelIdText,
  ModelRefText,
  ProviderId,
  Timestamp,
} from './fields.ts';

const RoleExecutionV2 = z.strictObject({
  roleExecutionRef: roleExecutionRefField,
  participantRef: participantRefField,
  executionLabel: executionLabelField,
  role: roleField,
  ordinal: z.int().min(1),
  provider: ProviderId,
  modelRef: ModelRefText.nullable(),
  modelId: ModelIdText.nullable(),
  modelSpecDigest: DigestText.nullable(),
  binding: BindingV1.nullable(),
});

const AssignmentV2 = z.strictObject({
  provider: ProviderId,
  runner: z.string().min(1),
  modelExecutionValue: ExecutionValue,
  hostModelValue: HostModelValue,
});

/** `run-manifest.json`, version 2.0. What a schema can't say is in `manifestIssues`. */
export const RunManifestV2 = z.strictObject({
  schemaVersion: z.literal('2.0'),
  executionIdentityVersion: z.literal(2),
  runId: runIdField,
  taskKey: taskKeyField,
  createdAt: Timestamp,
  leadRuntime: BindingV1.shape.hostId,
  terminalBackend: z.enum(TerminalBackend),
  runDirectoryPath: AbsolutePath,
  activeRunContextPath: AbsolutePath,
  recommendedWorkers: z.array(workerIdField),
  participants: z.array(
    z.strictObject({ participantRef: participantRefField, workerId: workerIdField, provider: ProviderId }),
  ),
  roleExecutions: z.array(RoleExecutionV2),
  invocationAssignments: z.record(z.string(), AssignmentV2),
  agentContract: z.strictObject({ invocationReservationRootPath: AbsolutePath }),
  plan: z.strictObject({ paths: z.array(z.string().min(1)) }),
  projectRoot: AbsolutePath,
  isolation: z.enum(Isolation),
  worktree: AbsolutePath.nullable(),
  baseCommit: z
    .string()
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
    .nullable(),
  // It becomes an argument of git: a leading dash would make it an option.
  branch: z
    .string()
    .regex(/^[^\s-][^\s]*$/)
    .nullable(),
  taskPath: AbsolutePath,
  taskDigest: DigestText,
  limits: LimitsV1,
  ignored: z.enum(IgnoredPaths),
  scratch: z.array(z.string().min(1)),
  git: z.enum(GitPermission),
});
