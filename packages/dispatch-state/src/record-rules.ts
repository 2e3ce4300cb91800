import type { DocumentIssue } from '@bailiwick/durable-files';
import {
  buildDispatchId,
  type IdentityManifest,
  isIdentityError,
  roleOfAudience,
  type WorkerId,
  workerOf,
} from '@bailiwick/execution-identity';
import { endIssues } from './end-rules.ts';
import { DispatchStateError } from './errors.ts';
import type { AttemptFacts } from './model/attempt-facts.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { RunManifest } from './model/run-manifest.ts';

/** What a schema can't say of a record: its parts agree, and a terminal one says how it ended. */
export function recordIssues(record: DispatchRecord): readonly DocumentIssue[] {
  return [...identityIssues(record), ...endIssues(record)];
}

/**
 * The worker whose attempt a record is: the one that its participant names in the manifest (ID-7). Throws DispatchStateError
 * RECORD_IDENTITY_DISAGREES, with execution-identity's error as the cause, for a record that disagrees with the manifest.
 */
export function workerOfRecord(record: AttemptFacts, manifest: RunManifest & IdentityManifest): WorkerId {
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = record;
  const identity = { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt };
  try {
    return workerOf({ generation: 'v2', ...identity }, manifest);
  } catch (error) {
    if (!isIdentityError(error)) throw error;
    throw new DispatchStateError(
      'RECORD_IDENTITY_DISAGREES',
      `record ${record.dispatchId} and the run manifest disagree: ${error.message}`,
      { hint: 'one of the two was changed by hand; `bailiwick run show` tells what each record says', cause: error },
    );
  }
}

function identityIssues(record: DispatchRecord): readonly DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  if (!isMadeOf(record)) issues.push({ path: '/dispatchId', message: 'is not made of invocationId and attempt' });
  if (record.attempt > record.maxAttempts)
    issues.push({ path: '/attempt', message: `is above maxAttempts ${record.maxAttempts}` });
  if (roleOfAudience(record.audience) !== record.role)
    issues.push({ path: '/role', message: `does not go with audience "${record.audience}"` });
  if (!record.batchInvocations.includes(record.invocationRef))
    issues.push({ path: '/batchInvocations', message: "lacks the record's own invocation" });
  return issues;
}

function isMadeOf({ dispatchId, invocationId, attempt }: DispatchRecord): boolean {
  return dispatchId === buildDispatchId(invocationId, attempt);
}
