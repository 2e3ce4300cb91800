/** What can go wrong between a client and the app. */
export const CmuxErrorCode = {
  /** Nobody listens, or the system doesn't let one connect: `systemCode` says which. */
  unreachable: 'CMUX_UNREACHABLE',
  /** The app lets in only what was started inside it: run inside, or set its socket mode to automation. */
  denied: 'CMUX_DENIED',
  /** The app wants a password: set CMUX_SOCKET_PASSWORD. */
  passwordNeeded: 'CMUX_PASSWORD_NEEDED',
  /** No answer in time: the app hangs, or its main thread is busy. Whether the request was done isn't known. */
  unresponsive: 'CMUX_UNRESPONSIVE',
  /** The connection ended before the reply. Whether a request that changes something was done has to be looked up. */
  replyLost: 'CMUX_REPLY_LOST',
  /** The app answered with an error; `rpcCode` and `data` are its own. */
  refused: 'CMUX_REFUSED',
  /** What answered isn't the protocol of the app. */
  notCmux: 'CMUX_NOT_UNDERSTOOD',
  /** The remote form of the socket needs credentials, or didn't take them. */
  relayRefused: 'CMUX_RELAY_REFUSED',
} as const;
export type CmuxErrorCode = (typeof CmuxErrorCode)[keyof typeof CmuxErrorCode];

export interface CmuxErrorFields {
  readonly systemCode?: string;
  readonly rpcCode?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/backend-cmux/CmuxError');

/** An error of the app's socket or its client; recognised across installed copies by its brand. */
export class CmuxError extends Error {
  readonly code: CmuxErrorCode;
  readonly systemCode?: string;
  /** The app's own code, where it answered with an error. Its message may be in any language. */
  readonly rpcCode?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;

  constructor(code: CmuxErrorCode, message: string, fields: CmuxErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'CmuxError';
    this.code = code;
    if (fields.systemCode !== undefined) this.systemCode = fields.systemCode;
    if (fields.rpcCode !== undefined) this.rpcCode = fields.rpcCode;
    if (fields.data !== undefined) this.data = fields.data;
    if (fields.hint !== undefined) this.hint = fields.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for a CmuxError of any installed copy of this package. */
export function isCmuxError(value: unknown): value is CmuxError {
  return value instanceof CmuxError;
}

/** The text of whatever was thrown, on one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
}
