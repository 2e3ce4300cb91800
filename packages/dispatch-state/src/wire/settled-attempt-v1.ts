import { AUDIT_STATUSES } from '@bailiwick/mutation-audit';
import { z } from 'zod';
import { DispatchRecordV2 } from './dispatch-record-v2.ts';

const { lifecycle, result, retry, process, usage, ...fields } = DispatchRecordV2.shape;

/** A line of `settled.jsonl`, version 1.0: what of a settled attempt plans are made from, under the names that its record has. */
export const SettledAttemptV1 = z.strictObject({
  dispatchId: fields.dispatchId,
  participantRef: fields.participantRef,
  roleExecutionRef: fields.roleExecutionRef,
  invocationRef: fields.invocationRef,
  executionLabel: fields.executionLabel,
  dutyId: fields.dutyId,
  attempt: fields.attempt,
  role: fields.role,
  backend: fields.backend,
  modelExecutionValue: fields.modelExecutionValue,
  status: fields.status,
  reason: fields.reason,
  dispatchedAt: fields.dispatchedAt,
  finishedAt: fields.finishedAt,
  eventLogOffset: fields.eventLogOffset,
  lifecycle: lifecycle.unwrap().pick({ end: true }).nullable(),
  contract: z.strictObject({ audit: z.strictObject({ status: z.enum(AUDIT_STATUSES) }).nullable() }).nullable(),
  result: result.unwrap().pick({ verdict: true }).nullable(),
  retry: retry.unwrap().pick({ successor: true }).nullable(),
  process: process.unwrap().pick({ pid: true }).nullable(),
  usage: usage.unwrap().pick({ costUsd: true }).nullable(),
});
