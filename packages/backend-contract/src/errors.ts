/** What a backend can refuse or fail at. */
export const BackendErrorCode = {
  /** No supervisor came up: nothing of the order has run. */
  launchFailed: 'LAUNCH_FAILED',
  /** The kind of backend isn't known here (BA-5). */
  unsupported: 'BACKEND_UNSUPPORTED',
  /** The backend can't be used from where the caller stands. */
  unavailable: 'BACKEND_UNAVAILABLE',
  /** A sandbox stands between the caller and the backend: run outside it; nothing has run (CX-4). */
  walledOff: 'BACKEND_WALLED_OFF',
} as const;
export type BackendErrorCode = (typeof BackendErrorCode)[keyof typeof BackendErrorCode];

const BRAND = Symbol.for('@bailiwick/backend-contract/BackendError');

/** An error of a worker backend; recognised across installed copies by its brand. */
export class BackendError extends Error {
  readonly code: BackendErrorCode;
  declare readonly hint?: string;

  constructor(
    code: BackendErrorCode,
    message: string,
    fields: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'BackendError';
    this.code = code;
    if (fields.hint !== undefined) this.hint = fields.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

export function isBackendError(value: unknown): value is BackendError {
  return value instanceof BackendError;
}
