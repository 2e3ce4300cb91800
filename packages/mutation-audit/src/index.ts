export { type CompareOptions, compareWithSnapshot } from './compare/compare-with-snapshot.ts';
export {
  isMutationAuditError,
  MutationAuditError,
  type MutationAuditErrorCode,
  type MutationAuditErrorDetails,
} from './errors.ts';
export { readDeclaredEdits } from './judge/declared-edits.ts';
export { judgeAttempt, unverifiableAudit } from './judge/judge-attempt.ts';
export type { LayerPlace } from './layer/altered-task.ts';
export { type AlteredSource, findAltered, type LayerOptions } from './layer/find-altered.ts';
export type { OutlineLimits, TreeOutline } from './layer/outline-task.ts';
export { type OutlineOptions, outlineTree } from './layer/outline-tree.ts';
export {
  ATTRIBUTION_GRADES,
  type Attribution,
  AUDIT_STATUSES,
  type AuditStatus,
  type AuditViolation,
  type ChangedPath,
  type ChangeKind,
  type EncodedAudit,
  type ExternalChange,
  type FileType,
  type GitPart,
  type GitProjection,
  type JobContract,
  type JudgeInput,
  type MutationAudit,
  type ObservedChange,
  type ObservedGitChange,
  type ObservedTrace,
  type PathName,
  type RepositoryProjection,
  type SnapshotReceipt,
  type SnapshotRoot,
  type TamperedPath,
  type TreeObservation,
  type UnchargedArea,
  type UnverifiablePath,
  VIOLATION_CODES,
  type ViolationCode,
} from './model.ts';
export { displayPath } from './path-name.ts';
export { type SarifOptions, sarifOf } from './report/sarif.ts';
export { type SourceDigestOptions, sourceDigest } from './snapshot/source-digest.ts';
export { type TakeSnapshotOptions, takeSnapshot } from './snapshot/take-snapshot.ts';
export { setAuditWorkerEntry } from './thread/audit-thread.ts';
export { decodeAudit, encodeAudit, MutationAuditV1 } from './wire/index.ts';
