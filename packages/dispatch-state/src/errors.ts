import type { DocumentIssue } from '@bailiwick/durable-files';

/** What can be wrong with the documents of a run, as a closed set. The text behind each code says what the caller may do next. */
export const DispatchStateErrorCode = {
  /** No manifest of that id. Name another run. */
  runMissing: 'RUN_MISSING',
  /** A run of that id is there already; it is untouched. Make a new id. */
  runExists: 'RUN_EXISTS',
  /** No record of that dispatch id. Name another attempt. */
  recordMissing: 'RECORD_MISSING',
  /** Somebody else has claimed the attempts in `names`. Await them; nothing was written for them. */
  alreadyClaimed: 'ATTEMPT_ALREADY_CLAIMED',
  /** An invocation of that ref is stored with another content; the stored one stands. Make a new invocation. */
  invocationDiffers: 'INVOCATION_DIFFERS',
  /** A record says something else of its identity than the manifest. Inspect both; nothing was guessed. */
  identityDisagrees: 'RECORD_IDENTITY_DISAGREES',
  /** A settled attempt was to be settled with another result. The first settlement stands. Inspect. */
  terminalDrift: 'TERMINAL_RESULT_DRIFT',
  /** A settlement named a status that is no end. A bug of the caller. */
  transitionRefused: 'TRANSITION_REFUSED',
  /** An attempt was taken for another task's than its run's. Name the run of the task. */
  taskKeyDiffers: 'TASK_KEY_DIFFERS',
  /** A log line doesn't fit its format (`issues`); nothing was appended. Correct what made it. */
  logRowInvalid: 'LOG_ROW_INVALID',
} as const;
export type DispatchStateErrorCode = (typeof DispatchStateErrorCode)[keyof typeof DispatchStateErrorCode];

const BRAND = Symbol.for('@bailiwick/dispatch-state/DispatchStateError');

/** The typed facts of a DispatchStateError; a fact that doesn't apply is absent. */
export interface DispatchStateErrorFields {
  readonly path?: string;
  readonly hint?: string;
  readonly names?: readonly string[];
  readonly issues?: readonly DocumentIssue[];
  readonly cause?: unknown;
}

/** An error about a run's documents. Recognised across installed copies by its brand, not by its class. */
export class DispatchStateError extends Error {
  readonly code: DispatchStateErrorCode;
  /** The document that it is about. */
  declare readonly path?: string;
  /** What to do about it. */
  declare readonly hint?: string;
  /** The ids that the message is about, where there are several. */
  declare readonly names?: readonly string[];
  /** What is wrong with a log line, with JSON pointers. */
  declare readonly issues?: readonly DocumentIssue[];

  constructor(code: DispatchStateErrorCode, message: string, fields: DispatchStateErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'DispatchStateError';
    this.code = code;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    if (fields.names !== undefined) this.names = fields.names;
    if (fields.issues !== undefined) this.issues = fields.issues;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for a DispatchStateError of any installed copy of this package. */
export function isDispatchStateError(value: unknown): value is DispatchStateError {
  return value instanceof DispatchStateError;
}
