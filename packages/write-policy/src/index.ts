export { type BoundaryOptions, boundaryAdmits, compileBoundary } from './boundary/compile-boundary.ts';
export { type GitCommitFacts, type GitCommitPlaces, gitCommitPlaces } from './boundary/git-commit-places.ts';
export { type EnforcementRequest, planEnforcement } from './boundary/plan-enforcement.ts';
export { disjointWriteRoots, writeRootsOf } from './boundary/write-roots.ts';
export { type BatchMember, checkCompatibleBatch } from './compatible-batch.ts';
export { loadContract, makeContract, policyDigest, type StoredContract } from './contract.ts';
export { type DecideOptions, decidePath } from './decide/decide-path.ts';
export { DERIVED_FOLDERS } from './decide/derived-folders.ts';
export { PROTECTED_IGNORED } from './decide/protected-ignored.ts';
export {
  isWritePolicyError,
  type PolicyIssue,
  WritePolicyError,
  WritePolicyErrorCode,
  type WritePolicyErrorDetails,
} from './errors.ts';
export type {
  CompiledBoundary,
  PathArea,
  PathDecision,
  PathName,
  WriteContract,
  WriteEnforcement,
  WritePolicy,
} from './model.ts';
export {
  AuditScope,
  Boundary,
  BoundaryGap,
  BoundaryPrecision,
  GitPermission,
  IgnoredPaths,
  KeyIsolation,
  MutationAuditMode,
  ThrowAwayLayer,
} from './model.ts';
export {
  dropBoxPath,
  NEVER_WRITABLE,
  type OrchestratorPlaces,
  orchestratorPaths,
  projectConfigPath,
  runWorktreePath,
} from './places.ts';
export { buildWritePolicy } from './policy/build-write-policy.ts';
export { pathsToResolve } from './policy/named-paths.ts';
export type { PathFacts, WritePolicyInput, WritePolicyRequest } from './policy/request.ts';
export { decodeEnforcement, decodePolicy, encodeEnforcement, encodePolicy } from './wire/index.ts';
export { WriteEnforcementV1, WritePolicyV1 } from './wire/v1.ts';
