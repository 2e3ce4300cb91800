import { format, parse } from 'node:path';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import { parseAttempt } from '../ids/attempt.ts';
import { invocationIdOf } from '../ids/dispatch-id.ts';
import { show } from '../show.ts';
import { metadataPathOf } from './metadata-file.ts';
import type { PromptMetadataV2 } from './model.ts';

/** What the next attempt of an invocation runs from. */
export interface MaterializedRetry {
  /** Of the attempt to come. */
  readonly metadata: PromptMetadataV2;
  /** Where the copy of the prompt belongs: beside the first one, as `<stem>.attempt-<n>.md`. */
  readonly promptPath: string;
  /** `<promptPath>.meta.json`. */
  readonly metadataPath: string;
}

/** What a retry is made from. */
export interface RetrySource {
  /** Of the attempt that failed. */
  readonly metadata: PromptMetadataV2;
  /** Of the attempt that failed. */
  readonly promptPath: string;
  /** The number of the attempt to come: one more than the failed one's. */
  readonly attempt: number;
}

/**
 * The one place where a retry's prompt path, metadata and invocation id are made (RT-2): a new path
 * `<stem>.attempt-<n>.md` and a new invocation id, everything else as it was. Touches no disk; storeRetry writes it.
 * Throws RETRY_ATTEMPT_WRONG, RETRY_ID_NOT_NEW, ATTEMPT_INVALID.
 */
export function materializeRetry(source: RetrySource): MaterializedRetry {
  const { metadata: failed, promptPath: failedPath } = source;
  const attempt = parseAttempt(source.attempt);
  const metadata = { ...failed, invocationId: invocationIdOf(failed.invocationRef, attempt), attempt };
  checkRetry(failed, metadata);
  const promptPath = retryPathOf(failedPath, failed.attempt, attempt);
  return { metadata, promptPath, metadataPath: metadataPathOf(promptPath) };
}

/**
 * A retry is the same invocation in a new attempt (RT-5, ID-4): it keeps the ref and all else, but has a new invocation
 * id and the next number. Throws RETRY_REF_DIFFERS, RETRY_ATTEMPT_WRONG, RETRY_ID_NOT_NEW, RETRY_DRIFTED.
 */
export function checkRetry(failed: PromptMetadataV2, retry: PromptMetadataV2): void {
  if (retry.invocationRef !== failed.invocationRef) {
    const said = `${show(retry.invocationRef)} is not the first attempt's ${show(failed.invocationRef)}`;
    throw retryError(IdentityErrorCode.retryRefDiffers, failed, { field: 'invocationRef', said });
  }
  requireNext(failed, retry.attempt);
  if (retry.invocationId === failed.invocationId) {
    const said = `${show(retry.invocationId)} is the failed attempt's own`;
    throw retryError(IdentityErrorCode.retryIdNotNew, failed, { field: 'invocationId', said });
  }
  const field = KEPT.find((key) => retry[key] !== failed[key]) ?? driftOfAssignment(failed, retry);
  if (field === undefined) return;
  const said = 'changed between the attempts of one invocation';
  throw retryError(IdentityErrorCode.retryDrifted, failed, { field, said });
}

const KEPT = [
  'audience',
  'assignmentRef',
  'dispatchKind',
  'inputDigest',
  'participantRef',
  'roleExecutionRef',
  'executionLabel',
  'dutyId',
] as const satisfies readonly (keyof PromptMetadataV2)[];

const KEPT_OF_ASSIGNMENT = [
  'hostModelValue',
  'modelRef',
  'provider',
  'runner',
  'modelExecutionValue',
] as const satisfies readonly (keyof PromptMetadataV2['assignment'])[];

function driftOfAssignment(failed: PromptMetadataV2, retry: PromptMetadataV2): 'assignment' | undefined {
  const isSame = KEPT_OF_ASSIGNMENT.every((key) => retry.assignment[key] === failed.assignment[key]);
  return isSame ? undefined : 'assignment';
}

function requireNext(failed: PromptMetadataV2, attempt: number): void {
  if (attempt === failed.attempt + 1) return;
  const said = `${show(attempt)} doesn't follow attempt ${failed.attempt}`;
  throw retryError(IdentityErrorCode.retryAttemptWrong, failed, { field: 'attempt', said });
}

function retryError(
  code: IdentityErrorCode,
  failed: PromptMetadataV2,
  o: { field: string; said: string },
): IdentityError {
  const message = `retry of ${failed.invocationRef}: ${o.field}: ${o.said}`;
  const hint = 'start nothing; make the retry from the metadata of the attempt that failed';
  return new IdentityError(code, message, { field: o.field, hint });
}

/** `dir/task.md` and `dir/task.attempt-2.md` both become `dir/task.attempt-3.md`, the latter as attempt 2's own path. */
function retryPathOf(failedPath: string, failedAttempt: number, attempt: number): string {
  const { root, dir, name, ext } = parse(failedPath);
  const mark = `.attempt-${failedAttempt}`;
  const stem = failedAttempt > 1 && name.endsWith(mark) ? name.slice(0, -mark.length) : name;
  return format({ root, dir, name: `${stem}.attempt-${attempt}`, ext });
}
