/** What can go wrong with a supervisor as a whole; what befalls one attempt is in its sidecar instead. */
export const SupervisionErrorCode = {
  /** What came in on standard input is no order: fix the caller, nothing has run. */
  orderInvalid: 'ORDER_INVALID',
  /** Another supervisor holds the batch's live lock: leave it alone, nothing has run here. */
  liveLockHeld: 'LIVE_LOCK_HELD',
  /** Nobody listens on the socket: poll the sidecars instead. */
  socketUnreachable: 'SOCKET_UNREACHABLE',
  /** The socket's folder can't be had, or could be written by others: go on without one. */
  socketUnavailable: 'SOCKET_UNAVAILABLE',
  /** This machine's processes can't be listed: nothing can be said of the end of a tree. */
  processesUnreadable: 'PROCESSES_UNREADABLE',
} as const;
export type SupervisionErrorCode = (typeof SupervisionErrorCode)[keyof typeof SupervisionErrorCode];

export interface SupervisionErrorFields {
  readonly path?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/process-supervision/SupervisionError');

/** An error of a supervisor or its client. Recognised across installed copies by its brand, not by its class. */
export class SupervisionError extends Error {
  readonly code: SupervisionErrorCode;
  readonly path?: string;
  readonly hint?: string;

  constructor(code: SupervisionErrorCode, message: string, fields: SupervisionErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'SupervisionError';
    this.code = code;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for a SupervisionError of any installed copy of this package. */
export function isSupervisionError(value: unknown): value is SupervisionError {
  return value instanceof SupervisionError;
}

/** The text of whatever was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim();
}
