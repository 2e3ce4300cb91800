/** What went wrong, as a closed set. The text behind each code says what the caller may do next. */
export const DurableFileErrorCode = {
  /** The value isn't JSON data, so it has no canonical form. Fix the value. */
  canonicalJsonInvalid: 'CANONICAL_JSON_INVALID',
  /** The text isn't `sha256:<64 lower-case hex digits>`. Fix the input. */
  digestInvalid: 'DIGEST_INVALID',
  /** No space or quota left; what stood at the path before is whole. Free space, then retry. */
  diskFull: 'DISK_FULL',
  /** The file isn't the document it should be; `keptAt` names a copy of its bytes. Inspect. */
  documentDamaged: 'DOCUMENT_DAMAGED',
  /** A value doesn't fit the document's schema; `issues` lists where. Fix the value. */
  documentInvalid: 'DOCUMENT_INVALID',
  /** A document that must be there isn't. */
  documentMissing: 'DOCUMENT_MISSING',
  /** Written by a newer version of this software. Upgrade; nothing was read by guess. */
  documentNewerVersion: 'DOCUMENT_NEWER_VERSION',
  /** An exclusive write found something at its destination. Somebody else was first. */
  fileExists: 'FILE_EXISTS',
  /** The file isn't there. */
  fileMissing: 'FILE_MISSING',
  /** The id can't be made into a file name (empty, or not well-formed text). */
  fileNameInvalid: 'FILE_NAME_INVALID',
  /** The bytes aren't UTF-8. */
  fileNotUtf8: 'FILE_NOT_UTF8',
  /** The file is larger than the caller's limit (or than a limit of the process). */
  fileTooLarge: 'FILE_TOO_LARGE',
  /** The folder in which to write isn't there. Make it first. */
  folderMissing: 'FOLDER_MISSING',
  /** The operating system failed in another way; see `cause`. */
  ioFailed: 'IO_FAILED',
  /** The file at a lock's path isn't an empty file of ours. Inspect it. */
  lockFileDamaged: 'LOCK_FILE_DAMAGED',
  /**
   * A lock file that this process holds was about to be opened, which would have dropped the lock. A bug of the
   * caller.
   */
  lockFileInUse: 'LOCK_FILE_IN_USE',
  /** The lock was held by somebody else for the whole time. Retry later. */
  lockTimeout: 'LOCK_TIMEOUT',
  /** The file system has no locks (NFS without its lock service, some FUSE). Use a local folder. */
  locksNotSupported: 'LOCKS_NOT_SUPPORTED',
  /** The name is longer than the file system takes. */
  nameTooLong: 'NAME_TOO_LONG',
  /** The path, or a part of it that should be a folder, is something else. */
  notAFolder: 'NOT_A_FOLDER',
  /** A symlink, folder, pipe, socket or device stands where a regular file should. It was neither read nor replaced. */
  notARegularFile: 'NOT_A_REGULAR_FILE',
  /** The user may not do this. */
  noPermission: 'NO_PERMISSION',
  /** The path leads out of the folder in which it has to lie. */
  pathEscapes: 'PATH_ESCAPES',
  /** The file system is mounted read-only. */
  readOnly: 'READ_ONLY',
  /** The process or the machine has too many files open. Retry later. */
  tooManyFiles: 'TOO_MANY_FILES',
  /** A log row isn't a JSON object or array. Fix the value. */
  valueNotJson: 'VALUE_NOT_JSON',
} as const;
export type DurableFileErrorCode = (typeof DurableFileErrorCode)[keyof typeof DurableFileErrorCode];

/** One thing that is wrong with a document. */
export interface DocumentIssue {
  /** JSON pointer (RFC 6901) into the document; `''` is the document itself. */
  readonly path: string;
  readonly message: string;
}

/** The typed facts of a `DurableFileError`; a fact that doesn't apply is absent. */
export interface DurableFileErrorDetails {
  readonly path?: string;
  readonly hint?: string;
  readonly issues?: readonly DocumentIssue[];
  readonly keptAt?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for('@bailiwick/durable-files/DurableFileError');

/**
 * The one error of this package. `message` says what, where and what to do; the fields hold the same for programs.
 * `instanceof` recognises an error of another installed copy of this package too.
 */
export class DurableFileError extends Error {
  readonly code: DurableFileErrorCode;
  /** The file or folder it is about. */
  declare readonly path?: string;
  /** What to do, the last sentence of the message. */
  declare readonly hint?: string;
  /** What is wrong with a document, with JSON pointers. */
  declare readonly issues?: readonly DocumentIssue[];
  /** Where the bytes of a damaged file were kept. */
  declare readonly keptAt?: string;

  constructor(code: DurableFileErrorCode, what: string, details: DurableFileErrorDetails = {}) {
    super(messageOf(what, details), 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.issues !== undefined) this.issues = details.issues;
    if (details.keptAt !== undefined) this.keptAt = details.keptAt;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

// On the prototype, as with the built-in errors, so that it isn't printed among an error's own fields.
Object.defineProperty(DurableFileError.prototype, 'name', {
  value: 'DurableFileError',
  configurable: true,
  writable: true,
});

/** Whether a value is an error of this package, of this or another installed copy. */
export function isDurableFileError(value: unknown): value is DurableFileError {
  return value instanceof DurableFileError;
}

function messageOf(what: string, details: DurableFileErrorDetails): string {
  const where = details.path === undefined ? what : `${what}: ${details.path}`;
  const issues = (details.issues ?? [])
    .slice(0, SHOWN_ISSUES)
    .map((issue) => `${issue.path || '(document)'}: ${issue.message}`);
  const more = (details.issues ?? []).length - issues.length;
  const listed = issues.length === 0 ? where : `${where} [${issues.join('; ')}${more > 0 ? `; and ${more} more` : ''}]`;
  return details.hint === undefined ? listed : `${listed}. ${details.hint}`;
}

// A document of the wrong kind can have thousands of issues; the message stays readable, `issues` has them all.
const SHOWN_ISSUES = 5;
