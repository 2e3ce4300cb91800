export { type AppendOptions, appendLogLine, appendLogLines } from './append-log.ts';
export { canonicalJson, digestOfDocument } from './canonical-json.ts';
export { claimFile, type RemoveOptions, removeFile } from './claim-file.ts';
export { type CopyOptions, copyFileDurably, DEFAULT_MAX_COPY_BYTES } from './copy-file.ts';
export { type DocumentCodec, type DocumentDefinition, defineDocument } from './define-document.ts';
export { type Digest, digestOfBytes, isDigest, parseDigest } from './digest.ts';
export { digestOfFile } from './digest-file.ts';
export {
  type DocumentIssue,
  DurableFileError,
  DurableFileErrorCode,
  type DurableFileErrorDetails,
  isDurableFileError,
} from './errors.ts';
export { encodeFileName } from './file-name.ts';
export { ensureFolder, isFolder, listFolder } from './folders.ts';
export type { JsonValue } from './json-value.ts';
export { isLocked, type KernelLock, tryLock } from './kernel-lock.ts';
export type { OpenRules } from './open-regular.ts';
export { type ReadDocumentOptions, readDocument, requireDocument } from './read-document.ts';
export { DEFAULT_MAX_LOG_BYTES, type LogContent, type ReadLogOptions, readLog } from './read-log.ts';
export { DEFAULT_MAX_BYTES, type ReadOptions, readTextFile } from './read-text.ts';
export { documentIssuesOf } from './schema-issues.ts';
export { isStagingName } from './staging.ts';
export type { StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
export { mapSystemError } from './system-errors.ts';
export {
  acquireLock,
  DEFAULT_LOCK_POLL_MS,
  DEFAULT_LOCK_TIMEOUT_MS,
  type LockOptions,
  withLock,
} from './wait-for-lock.ts';
export { writeDocument } from './write-document.ts';
export { DEFAULT_MODE, type WriteOptions, writeTextFile } from './write-text.ts';
