/** What can be wrong with an identity, its documents or their agreement with the run manifest; after each, what the caller may do next. */
export const IdentityErrorCode = {
  /** Fix input: not of the form that its parser takes; so are the others up to PATH_INVALID. */
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
  /** Fix the document: `issues` lists its bad places; so for the next two. */
  notAnObject: 'NOT_AN_OBJECT',
  fieldMissing: 'FIELD_MISSING',
  fieldUnknown: 'FIELD_UNKNOWN',
  /** Update the program: a newer one wrote it. */
  newerVersion: 'NEWER_VERSION',
  /** Fix the document: its versions or keys are of two generations (ID-1). */
  generationsMixed: 'GENERATIONS_MIXED',
  /** Make the prompt again with its metadata; a job without is never dispatched. */
  metadataMissing: 'METADATA_MISSING',
  /** Look at the file, which is left as it is. */
  metadataUnreadable: 'METADATA_UNREADABLE',
  /** Restore the prompt, or make it and its metadata again. */
  inputDigestDisagrees: 'INPUT_DIGEST_DISAGREES',
  /** Name the first prompt: retries are made by settling. */
  attemptNotFirst: 'ATTEMPT_NOT_FIRST',
  /** Inspect the row: half an identity is never completed by guess. */
  identityIncomplete: 'IDENTITY_INCOMPLETE',
  /** Make the prompt again from this run; so for the other disagreements with its manifest. */
  roleExecutionUnknown: 'ROLE_EXECUTION_UNKNOWN',
  roleExecutionAmbiguous: 'ROLE_EXECUTION_AMBIGUOUS',
  participantUnknown: 'PARTICIPANT_UNKNOWN',
  participantAmbiguous: 'PARTICIPANT_AMBIGUOUS',
  participantDisagrees: 'PARTICIPANT_DISAGREES',
  labelDisagrees: 'LABEL_DISAGREES',
  audienceRoleDisagrees: 'AUDIENCE_ROLE_DISAGREES',
  /** Start nothing: make the retry from the metadata of the attempt that failed; so for the next three. */
  retryAttemptWrong: 'RETRY_ATTEMPT_WRONG',
  retryRefDiffers: 'RETRY_REF_DIFFERS',
  retryIdNotNew: 'RETRY_ID_NOT_NEW',
  retryDrifted: 'RETRY_DRIFTED',
  /** Look at the file, then mend it or move it away; nothing was dispatched. */
  reservationUnreadable: 'RESERVATION_UNREADABLE',
  /** Make a new reservation: each is consumed once. */
  reservationNone: 'RESERVATION_NONE',
  /** Keep the one that is meant, move the others away. */
  reservationSeveral: 'RESERVATION_SEVERAL',
  /** Make reservation and metadata again, together; so for the next three. */
  reservationDisagrees: 'RESERVATION_DISAGREES',
  reservationMetadataV1: 'RESERVATION_METADATA_V1',
  reservationNotTranslator: 'RESERVATION_NOT_TRANSLATOR',
  reservationNotBesidePrompt: 'RESERVATION_NOT_BESIDE_PROMPT',
} as const;
/** One of these codes. */
export type IdentityErrorCode = (typeof IdentityErrorCode)[keyof typeof IdentityErrorCode];

/** One finding in a document: `path` is a JSON pointer (RFC 6901), `''` for the document itself. */
export interface IdentityIssue {
  /** What is wrong there. */
  readonly code: IdentityErrorCode;
  /** JSON pointer, `''` for the document. */
  readonly path: string;
  /** Without the place; one line, and quoted values are cut short. */
  readonly message: string;
}

/** What an IdentityError knows beside its code and message. */
export interface IdentityErrorFields {
  /** The field that is wrong, such as `attempt`. */
  readonly field?: string;
  /** The file, or the caller's words for where the value came from. */
  readonly path?: string;
  /** What the caller may do next, one sentence. */
  readonly hint?: string;
  /** Every finding in a document, the one that the code names first. */
  readonly issues?: readonly IdentityIssue[];
  /** What was caught, where something was. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/execution-identity/IdentityError');

/**
 * An identity that was refused. `code` is closed and pinned; `hint` says what to do next.
 * Recognised across installed copies of this package by a registered symbol, so `instanceof` holds for every copy.
 */
export class IdentityError extends Error {
  /** One of the closed set. */
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

  /** True for an error of any installed copy. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for an IdentityError of any installed copy of this package; never throws. */
export function isIdentityError(value: unknown): value is IdentityError {
  return value instanceof IdentityError;
}
