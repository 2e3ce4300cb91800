import { dispatchIdField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { Stage } from '../stages.ts';
import {
  AbsolutePath,
  ByteCount,
  EndProofs,
  Evidence,
  ProcessIdentityV1,
  ServedModelV1,
  Timestamp,
  UsageV1,
} from './fields.ts';

/** `sidecars/<dispatchId>.json`, version 1.0. */
export const StatusSidecarV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  dispatchId: dispatchIdField,
  stage: z.enum(Stage),
  reason: z.string(),
  process: ProcessIdentityV1.nullable(),
  supervisorVersion: z.string(),
  socketPath: AbsolutePath.nullable(),
  startedAt: Timestamp,
  updatedAt: Timestamp,
  lastOutputAt: Timestamp.nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endEvidence: Evidence,
  transientFailure: z.boolean(),
  endProof: EndProofs,
  leftProcesses: z.int().min(0),
  reportedSessionId: z.string().nullable(),
  servedModel: ServedModelV1,
  usage: UsageV1,
  lastLine: z.string().nullable(),
  logBytes: ByteCount,
});
