/** Every code a {@link WritePolicyError} can carry; each says what the caller may do next. */
export const WritePolicyErrorCode = {
  /** Fix the input: empty, relative where absolute is needed, a control character, or `..` in a glob. */
  PATH_INVALID: 'PATH_INVALID',
  /** Fix the input: a policy holds text paths only; bytes that aren't UTF-8 can be observed, never granted. */
  PATH_NOT_UTF8: 'PATH_NOT_UTF8',
  /** Fix the input: longer than a file system takes. */
  PATH_TOO_LONG: 'PATH_TOO_LONG',
  /** Resolve what `pathsToResolve` names and build again. */
  PATH_NOT_RESOLVED: 'PATH_NOT_RESOLVED',
  /** Fix the input: leaves its root by its place or through `..`. */
  PATH_OUTSIDE: 'PATH_OUTSIDE',
  /** Fix the input or the link: a symbolic link on the way leads out of its root. */
  PATH_THROUGH_SYMLINK: 'PATH_THROUGH_SYMLINK',
  /** Fix the input: version control's or our own folder. */
  PATH_NEVER_WRITABLE: 'PATH_NEVER_WRITABLE',
  /** Fix the input: the orchestrator or a supervisor writes there. */
  PATH_OF_ORCHESTRATOR: 'PATH_OF_ORCHESTRATOR',
  /** Fix the input: so wide that nothing would be left to judge. */
  PATH_TOO_WIDE: 'PATH_TOO_WIDE',
  /** Fix the pattern: outside the dialect of planned paths. */
  GLOB_INVALID: 'GLOB_INVALID',
  /** Fix the input: an artifact lies in its invocation's drop box or nowhere. */
  ARTIFACT_OUTSIDE_DROP_BOX: 'ARTIFACT_OUTSIDE_DROP_BOX',
  /** Fix the input: only an implementer has planned paths. */
  PLAN_NOT_ALLOWED: 'PLAN_NOT_ALLOWED',
  /** Fix the input: only a verifier has auxiliary roots. */
  AUXILIARY_NOT_ALLOWED: 'AUXILIARY_NOT_ALLOWED',
  /** Validate the root first, then build again. */
  AUXILIARY_NOT_VALIDATED: 'AUXILIARY_NOT_VALIDATED',
  /** Fix the input: only an implementer may commit. */
  GIT_NOT_ALLOWED: 'GIT_NOT_ALLOWED',
  /** Inspect the stored policy (`issues`); nothing was started with it. */
  POLICY_INVALID: 'POLICY_INVALID',
  /** Inspect the stored enforcement (`issues`). */
  ENFORCEMENT_INVALID: 'ENFORCEMENT_INVALID',
  /** Give up on this invocation: what was stored is not what was agreed. */
  POLICY_DIGEST_CHANGED: 'POLICY_DIGEST_CHANGED',
  /** Give up on this invocation: nothing was agreed. */
  CONTRACT_MISSING: 'CONTRACT_MISSING',
  /** Choose a binding whose runner says what it can hold. */
  CAPABILITY_MISSING: 'CAPABILITY_MISSING',
  /** Split the batch, or wait for the other attempt. */
  BATCH_INCOMPATIBLE: 'BATCH_INCOMPATIBLE',
} as const;
export type WritePolicyErrorCode = (typeof WritePolicyErrorCode)[keyof typeof WritePolicyErrorCode];

/** One thing wrong with a stored value. `path` is a JSON pointer into it. */
export interface PolicyIssue {
  readonly path: string;
  readonly message: string;
}

/** What a {@link WritePolicyError} says beside its message. */
export interface WritePolicyErrorDetails {
  readonly path?: string;
  readonly hint?: string;
  readonly issues?: readonly PolicyIssue[];
  /** The two dispatches that can't be alive together, by label. */
  readonly between?: readonly [string, string];
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/write-policy/WritePolicyError');

/** The one error of this package. Recognised across installed copies by its brand, not by its prototype. */
export class WritePolicyError extends Error {
  override readonly name = 'WritePolicyError';
  readonly code: WritePolicyErrorCode;
  declare readonly path?: string;
  declare readonly hint?: string;
  declare readonly issues?: readonly PolicyIssue[];
  declare readonly between?: readonly [string, string];

  constructor(code: WritePolicyErrorCode, message: string, details: WritePolicyErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.issues !== undefined) this.issues = details.issues;
    if (details.between !== undefined) this.between = details.between;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** Whether a value is a {@link WritePolicyError}, of this or another installed copy of the package. */
export function isWritePolicyError(value: unknown): value is WritePolicyError {
  return value instanceof WritePolicyError;
}
