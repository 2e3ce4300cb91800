import { dispatchIdField, identityFields, runIdField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { AbsolutePath, Backends, Timestamp } from './fields.ts';

const DetailsV1 = z.strictObject({
  dispatchId: dispatchIdField,
  ...identityFields,
  maxAttempts: identityFields.attempt,
  dispatchMode: Backends,
  promptPath: AbsolutePath,
  resultPath: AbsolutePath,
  workerResultPath: AbsolutePath,
  paneId: z.string().nullable(),
  degradedFrom: Backends.nullable(),
});

const StepV1 = z.strictObject({ ok: z.boolean(), reason: z.string() });

const AuditSummaryV1 = z.strictObject({
  status: z.string(),
  changedPaths: z.int().min(0),
  violations: z.array(z.strictObject({ code: z.string(), path: z.string(), message: z.string() })),
  attribution: z.string(),
});

const EndDetailsV1 = DetailsV1.extend({
  exitCode: z.int().nullable(),
  reason: z.string(),
  mutationAudit: AuditSummaryV1.nullable(),
  errorLogAppend: StepV1.nullable(),
  postProcessing: z.array(z.string()),
});

const envelope = { at: Timestamp, runId: runIdField };

/** A line of `lead-events.jsonl`, version 1.0: one schema per type (EV-1); an event of another type is no event of ours. */
export const LeadEventV1 = z.discriminatedUnion('type', [
  z.strictObject({ ...envelope, type: z.literal('worker-dispatched'), details: DetailsV1 }),
  z.strictObject({
    ...envelope,
    type: z.literal('worker-retry-scheduled'),
    details: DetailsV1.extend({
      reason: z.string(),
      missingCompletionPaths: z.array(AbsolutePath),
      successor: dispatchIdField,
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('worker-result-collected'),
    details: EndDetailsV1.extend({ resultLink: StepV1 }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('worker-failed'),
    details: EndDetailsV1.extend({
      missingCompletionPaths: z.array(AbsolutePath),
      stoppedBy: z.string().nullable(),
    }),
  }),
]);

/** A line of `error-log.jsonl`, version 1.0 (EV-2). */
export const ErrorRowV1 = z.strictObject({
  at: Timestamp,
  runId: runIdField,
  dispatchId: dispatchIdField,
  ...identityFields,
  message: z.string(),
  logPath: AbsolutePath,
  logTail: z.string(),
});
