export { CUSTOM_PROVIDER_ID, type CustomAgentModel, customAgentRow } from './custom-agent.ts';
export type { AssignmentErrorDetails, AssignmentErrorOptions, FieldChange, PathIssue } from './errors.ts';
export { AssignmentError, AssignmentErrorCode, isAssignmentError } from './errors.ts';
export { DEFAULT_HOST_ID, HOST_IDS, hostOf } from './hosts.ts';
export type {
  Assignment,
  AssignmentEnvironment,
  Binding,
  HostDescriptor,
  JobRoleExecution,
  ModelPoolEntry,
  ModelRef,
  ProviderInstallation,
  RevalidatedBinding,
  RoleExecutionBinding,
  ServedModelAttestation,
  ServedModelDeviation,
  ServedModelObservation,
  ServedModelVerdict,
  SourceDisagreement,
  StoredAttestation,
  WorkerWriteCapability,
} from './model.ts';
export {
  AttestationLevel,
  AttestationSource,
  BoundaryPrecision,
  Runner,
  TerminalBackend,
  VersionKind,
} from './model.ts';
export { isModelRef, MAX_MODEL_REF_LENGTH, parseModelRef, providerOfModelRef } from './model-ref.ts';
export { modelSpecDigest } from './model-spec-digest.ts';
export { checkModelPool, type PoolRowFinding } from './pool/check-pool.ts';
export { mergePool } from './pool/merge-pool.ts';
export { createModelPool, type ModelPool, type ModelPoolOptions } from './pool/model-pool.ts';
export { type ResolveOptions, requireDispatchable, resolveAssignment } from './resolve-assignment.ts';
export { type RevalidateOptions, revalidateAssignment, withRevalidated } from './revalidate-assignment.ts';
export type { AttestOptions, ServedModelTurn, TurnAttestation } from './served-model/attest.ts';
export { attestTurn, combineTurns } from './served-model/attest.ts';
export { FAMILY_RULES, type FamilyRule } from './served-model/families.ts';
export type { NormalizedModel } from './served-model/normalize.ts';
export { NO_MODEL_NAMES, normalizeServedModel } from './served-model/normalize.ts';
export { compareSources, type ReachOptions, reachableSource, requireReachableSource } from './served-model/sources.ts';
export { SPELLING_RULES, type SpellingRule, spellingsOf } from './served-model/spellings.ts';
export { type VerifyOptions, verifyServedModel } from './served-model/verify.ts';
export { shippedModelPool } from './shipped/shipped-pool.ts';
export { decodePoolRow } from './wire/pool-row.ts';
