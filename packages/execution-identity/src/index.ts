export { type DispatchKind, isDispatchKind, parseDispatchKind, roundOfDispatchKind } from './dispatch-kind.ts';
export {
  IdentityError,
  IdentityErrorCode,
  type IdentityErrorFields,
  type IdentityIssue,
  isIdentityError,
} from './errors.ts';
export type {
  ExecutionIdentity,
  IdentityManifest,
  ParticipantRow,
  RecordedIdentity,
  RoleExecutionRow,
} from './identity/model.ts';
export { decodeIdentity, encodeIdentity, workerOf } from './identity/recorded-identity.ts';
export { isAttempt, MAX_ATTEMPT, parseAttempt } from './ids/attempt.ts';
export { buildDispatchId, invocationIdOf, sealKeyOf, splitDispatchId } from './ids/dispatch-id.ts';
export type {
  BatchId,
  Branded,
  DispatchId,
  DutyId,
  ExecutionLabel,
  InvocationId,
  InvocationRef,
  IsId,
  ParseId,
  ParticipantRef,
  RoleExecutionRef,
  RunId,
  SessionId,
  TaskKey,
  WorkerId,
} from './ids/ids.ts';
export {
  isBatchId,
  isDispatchId,
  isDutyId,
  isExecutionLabel,
  isInvocationId,
  isInvocationRef,
  isParticipantRef,
  isRoleExecutionRef,
  isRunId,
  isSessionId,
  isTaskKey,
  isWorkerId,
  parseBatchId,
  parseDispatchId,
  parseDutyId,
  parseExecutionLabel,
  parseInvocationId,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseRunId,
  parseSessionId,
  parseTaskKey,
  parseWorkerId,
} from './ids/ids.ts';
export { newBatchId, newRunId, newSessionId } from './ids/new-ids.ts';
export { type GivenSessionId, NO_SESSION_ID, parseGivenSessionId } from './ids/session.ts';
export { checkFirstAttempt, checkInputDigest, checkMetadata, identityOfMetadata } from './metadata/check-metadata.ts';
export {
  checkRetry,
  type MaterializedRetry,
  materializeRetry,
  type RetrySource,
} from './metadata/materialize-retry.ts';
export { metadataPathOf, readMetadata } from './metadata/metadata-file.ts';
export type {
  PromptAssignment,
  PromptMetadata,
  PromptMetadataCommon,
  PromptMetadataV1,
  PromptMetadataV2,
} from './metadata/model.ts';
export { storeRetry } from './metadata/store-retry.ts';
export { checkReservation } from './reservation/check-reservation.ts';
export type { Reservation } from './reservation/model.ts';
export { readReservations } from './reservation/read-reservations.ts';
export {
  type ReservationFile,
  type SelectedReservation,
  selectReservation,
  type WantedReservation,
} from './reservation/select-reservation.ts';
export {
  Audience,
  audienceOfRole,
  isAudience,
  isRole,
  parseAudience,
  parseRole,
  Role,
  roleOfAudience,
} from './roles.ts';
export { metadataCodec, reservationCodec } from './wire/index.ts';
