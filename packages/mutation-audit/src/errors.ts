/** Why a snapshot could not be taken, read or compared. Pinned by a test; what to do next stands beside each. */
export type MutationAuditErrorCode =
  /** A root is missing, no folder, or its path has a symlink component: fix the input. */
  | 'SNAPSHOT_ROOT_INVALID'
  /** A root is a bare repository, which has no tree to audit: fix the input. */
  | 'SNAPSHOT_ROOT_BARE'
  /** The snapshot could not be written: free space or permissions, then retry. */
  | 'SNAPSHOT_WRITE_FAILED'
  /** A snapshot lies there already; a baseline is never replaced. */
  | 'SNAPSHOT_EXISTS'
  /** No snapshot at the path: the attempt is unverifiable (MA-7). */
  | 'SNAPSHOT_MISSING'
  /** The snapshot's bytes are not what was written: inspect the file, the attempt is unverifiable. */
  | 'SNAPSHOT_DAMAGED'
  /** The snapshot was written by a newer version: use that version. */
  | 'SNAPSHOT_NEWER_VERSION'
  /** A source file can't be read, so that the source has no digest: make it readable, then retry. */
  | 'SOURCE_UNREADABLE'
  /** The audit's own thread failed: retry; if it happens again, report it. */
  | 'AUDIT_THREAD_FAILED'
  /** A stored audit does not fit its schema: inspect the record. */
  | 'AUDIT_INVALID';

/** What else a `MutationAuditError` tells. */
export interface MutationAuditErrorDetails {
  readonly path?: string;
  readonly hint?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  readonly cause?: unknown;
}

const mark = Symbol.for('@bailiwick/mutation-audit/MutationAuditError');

/** Every expected failure of this package. `code` says what the caller may do next. */
export class MutationAuditError extends Error {
  readonly code: MutationAuditErrorCode;
  declare readonly path?: string;
  declare readonly hint?: string;
  declare readonly issues?: readonly { readonly path: string; readonly message: string }[];

  constructor(code: MutationAuditErrorCode, message: string, details: MutationAuditErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'MutationAuditError';
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.issues !== undefined) this.issues = details.issues;
    Object.defineProperty(this, mark, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && mark in value;
  }
}

/** Recognises the error of any installed copy of this package. */
export function isMutationAuditError(value: unknown): value is MutationAuditError {
  return value instanceof MutationAuditError;
}
