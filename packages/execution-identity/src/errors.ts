/** What can be wrong with an identity, its documents or their agreement with the run manifest. */
export const IdentityErrorCode = {
  runIdInvalid: 'RUN_ID_INVALID',
  taskKeyInvalid: 'TASK_KEY_INVALID',
  workerIdInvalid: 'WORKER_ID_INVALID',
  participantRefInvalid: 'PARTICIPANT_REF_INVALID',
  roleExecutionRefInvalid: 'ROLE_EXECUTION_REF_INVALID',
  invocationRefInvalid: 'INVOCATION_REF_INVALID',
  invocationIdInvalid: 'INVOCATION_ID_INVALID',
  dispatchIdInvalid: 'DISPATCH_ID_INVALID',
  batchIdInvalid: 'BATCH_ID_INVALID',
  executionLabelInvalid: 'EXECUTION_LABEL_INVALID',
  dutyIdInvalid: 'DUTY_ID_INVALID',
  sessionIdInvalid: 'SESSION_ID_INVALID',
  attemptInvalid: 'ATTEMPT_INVALID',
  roleInvalid: 'ROLE_INVALID',
  audienceInvalid: 'AUDIENCE_INVALID',
  dispatchKindInvalid: 'DISPATCH_KIND_INVALID',
  assignmentRefInvalid: 'ASSIGNMENT_REF_INVALID',
  assignmentInvalid: 'ASSIGNMENT_INVALID',
  inputDigestInvalid: 'INPUT_DIGEST_INVALID',
  pathInvalid: 'PATH_INVALID',
  notAnObject: 'NOT_AN_OBJECT',
  fieldMissing: 'FIELD_MISSING',
  fieldUnknown: 'FIELD_UNKNOWN',
  newerVersion: 'NEWER_VERSION',
  generationsMixed: 'GENERATIONS_MIXED',
  metadataMissing: 'METADATA_MISSING',
  metadataUnreadable: 'METADATA_UNREADABLE',
  inputDigestDisagrees: 'INPUT_DIGEST_DISAGREES',
  attemptNotFirst: 'ATTEMPT_NOT_FIRST',
  identityIncomplete: 'IDENTITY_INCOMPLETE',
  roleExecutionUnknown: 'ROLE_EXECUTION_UNKNOWN',
  roleExecutionAmbiguous: 'ROLE_EXECUTION_AMBIGUOUS',
  participantUnknown: 'PARTICIPANT_UNKNOWN',
  participantAmbiguous: 'PARTICIPANT_AMBIGUOUS',
  participantDisagrees: 'PARTICIPANT_DISAGREES',
  labelDisagrees: 'LABEL_DISAGREES',
  audienceRoleDisagrees: 'AUDIENCE_ROLE_DISAGREES',
  retryAttemptWrong: 'RETRY_ATTEMPT_WRONG',
  retryRefDiffers: 'RETRY_REF_DIFFERS',
  retryIdNotNew: 'RETRY_ID_NOT_NEW',
  retryDrifted: 'RETRY_DRIFTED',
  reservationUnreadable: 'RESERVATION_UNREADABLE',
  reservationNone: 'RESERVATION_NONE',
  reservationSeveral: 'RESERVATION_SEVERAL',
  reservationDisagrees: 'RESERVATION_DISAGREES',
  reservationMetadataV1: 'RESERVATION_METADATA_V1',
  reservationNotTranslator: 'RESERVATION_NOT_TRANSLATOR',
  reservationNotBesidePrompt: 'RESERVATION_NOT_BESIDE_PROMPT',
} as const;
export type IdentityErrorCode = (typeof IdentityErrorCode)[keyof typeof IdentityErrorCode];

/** One finding in a document: `path` is a JSON pointer (RFC 6901), `''` for the document itself. */
export interface IdentityIssue {
  readonly code: IdentityErrorCode;
  readonly path: string;
  readonly message: string;
}

/** What an IdentityError knows beside its code and message. */
export interface IdentityErrorFields {
  readonly field?: string;
  readonly path?: string;
  readonly hint?: string;
  readonly issues?: readonly IdentityIssue[];
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/execution-identity/IdentityError');

/**
 * An identity that was refused. `code` is closed and pinned; `hint` says what to do next.
 * Recognised across installed copies of this package by a registered symbol, so `instanceof` holds for every copy.
 */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode;
  // Declared only, so that a fact that is absent is an absent key.
  /** The name of the field that is wrong, e.g. `attempt`. */
  declare readonly field?: string;
  /** The file, or the caller's words for where the value came from. */
  declare readonly path?: string;
  /** What the caller may do next. */
  declare readonly hint?: string;
  /** Every finding, the one that `code` names first; JSON pointers into the document. */
  declare readonly issues?: readonly IdentityIssue[];

  constructor(code: IdentityErrorCode, message: string, fields: IdentityErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'IdentityError';
    this.code = code;
    if (fields.field !== undefined) this.field = fields.field;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    if (fields.issues !== undefined) this.issues = fields.issues;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for an IdentityError of any installed copy of this package; never throws. */
export function isIdentityError(value: unknown): value is IdentityError {
  return value instanceof IdentityError;
}
