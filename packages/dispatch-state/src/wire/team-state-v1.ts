import { batchIdField, dispatchIdField, runIdField, workerIdField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { BackendKind, DispatchStatus, WorkerStatus } from '../stages.ts';
import { Backends, ExecutionValue, Timestamp } from './fields.ts';

const WorkerRowV1 = z.strictObject({
  workerId: workerIdField,
  status: z.enum(WorkerStatus),
  reason: z.string(),
  modelExecutionValue: ExecutionValue.nullable(),
  updatedAt: Timestamp,
});

const DispatchFactV1 = z.strictObject({
  dispatchId: dispatchIdField,
  status: z.enum(DispatchStatus),
  backend: Backends,
});

/** `team-state.json`, version 1.0. */
export const TeamStateV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  runId: runIdField,
  updatedAt: Timestamp,
  mode: z.enum([...Object.values(BackendKind), 'mixed']).nullable(),
  workers: z.array(WorkerRowV1),
  dispatches: z.array(DispatchFactV1),
});

/** `stops/<workerId>.json`, version 1.0. */
export const StopIntentV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  workerId: workerIdField,
  by: z.string(),
  at: Timestamp,
});

/** A line of `selections.jsonl`, version 1.0. */
export const SelectionV1 = z.strictObject({
  at: Timestamp,
  batchId: batchIdField,
  selected: z.array(workerIdField),
  skipped: z.array(z.strictObject({ workerId: workerIdField, reason: z.string() })),
});
