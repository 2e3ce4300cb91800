import type { JsonValue } from '@bailiwick/durable-files';
import { AUDIT_STATUSES } from '@bailiwick/mutation-audit';
import { z } from 'zod';
import type { AttemptFacts } from '../model/attempt-facts.ts';
import { TERMINAL_STATUSES } from '../stages.ts';
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

type Shape = Readonly<Record<keyof AttemptFacts, 'string' | 'number' | 'object'>>;

/** The type of each field; an object may be null. */
const TYPES: Shape = {
  dispatchId: 'string',
  participantRef: 'string',
  roleExecutionRef: 'string',
  invocationRef: 'string',
  executionLabel: 'string',
  dutyId: 'string',
  attempt: 'number',
  role: 'string',
  backend: 'string',
  modelExecutionValue: 'string',
  status: 'string',
  reason: 'string',
  dispatchedAt: 'string',
  finishedAt: 'string',
  eventLogOffset: 'number',
  lifecycle: 'object',
  contract: 'object',
  result: 'object',
  retry: 'object',
  process: 'object',
  usage: 'object',
};
const FIELDS = Object.entries(TYPES);

/**
 * Whether a line that was read can stand for its record: every field is there with its type, and the status is a last one. Every command
 * reads all lines of a run, ten thousand of them, and what is wrong beyond that was wrong when it was written, from a record that was checked:
 * the whole schema would take twenty times as long.
 */
export function isNoted(row: JsonValue): row is JsonValue & AttemptFacts {
  if (typeof row !== 'object' || row === null) return false;
  const field = (name: string): unknown => Reflect.get(row, name);
  const isLast = TERMINAL_STATUSES.some((status) => status === field('status'));
  return isLast && FIELDS.every(([name, type]) => typeof field(name) === type);
}
