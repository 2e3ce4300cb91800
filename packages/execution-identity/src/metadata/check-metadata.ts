import type { Digest } from '@bailiwick/durable-files';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import { requireParticipant, requireRoleExecution } from '../identity/manifest-rows.ts';
import type { ExecutionIdentity, ParticipantRow, RoleExecutionRow } from '../identity/model.ts';
import { roleOfAudience } from '../roles.ts';
import type { PromptMetadata, PromptMetadataV2 } from './model.ts';

/**
 * The manifest's role execution that the metadata names, once participant, label and audience agree with it (ID-3,
 * ID-10). The role is taken from it, never from the job. Throws ROLE_EXECUTION_UNKNOWN, ROLE_EXECUTION_AMBIGUOUS,
 * PARTICIPANT_DISAGREES, LABEL_DISAGREES, PARTICIPANT_UNKNOWN, PARTICIPANT_AMBIGUOUS or AUDIENCE_ROLE_DISAGREES.
 */
export function checkMetadata<R extends RoleExecutionRow>(
  metadata: PromptMetadataV2,
  manifest: { readonly participants: readonly ParticipantRow[]; readonly roleExecutions: readonly R[] },
): R {
  const where = `metadata of invocation ${metadata.invocationId}`;
  const row = requireRoleExecution(metadata, manifest, where);
  requireParticipant(row.participantRef, manifest, where);
  if (roleOfAudience(metadata.audience) === row.role) return row;
  const message = `${where}: audience ${metadata.audience} goes with role ${roleOfAudience(metadata.audience)}, but role execution ${row.roleExecutionRef} is ${row.role} in the run manifest`;
  throw new IdentityError(IdentityErrorCode.audienceRoleDisagrees, message, { field: 'audience', path: where });
}

/** A plan takes metadata of attempt 1 (ID-2). Throws ATTEMPT_NOT_FIRST. */
export function checkFirstAttempt(metadata: PromptMetadataV2): void {
  if (metadata.attempt === 1) return;
  const message = `metadata of invocation ${metadata.invocationId}: a plan takes attempt 1, this is attempt ${metadata.attempt}`;
  const hint = 'name the first prompt; retries are made by settling the attempt before them';
  throw new IdentityError(IdentityErrorCode.attemptNotFirst, message, { field: 'attempt', hint });
}

/** The metadata was written for exactly these bytes of a prompt. Throws INPUT_DIGEST_DISAGREES. */
export function checkInputDigest(metadata: PromptMetadata, promptDigest: Digest, promptPath: string): void {
  if (metadata.inputDigest === promptDigest) return;
  const message = `${promptPath}: the prompt's bytes are ${promptDigest}, its metadata was written for ${metadata.inputDigest}`;
  const hint = 'restore the prompt, or make it and its metadata again';
  throw new IdentityError(IdentityErrorCode.inputDigestDisagrees, message, {
    field: 'inputDigest',
    path: promptPath,
    hint,
  });
}

/** The identity that metadata gives to the attempt made from it. */
export function identityOfMetadata(metadata: PromptMetadataV2): ExecutionIdentity {
  const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = metadata;
  return { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt };
}
