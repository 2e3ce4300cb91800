/** What can be wrong with keys and chains, as a closed set. The text behind each code says what the caller may do next. */
export const SealErrorCode = {
  /** The key folder lies where a worker may write. Name another folder. */
  keyWithinReach: 'KEY_WITHIN_REACH',
  /** Others than their owner can read the private key, or write its folder. Correct the permissions, and make a new key if in doubt. */
  keyExposed: 'KEY_EXPOSED',
  /** The file isn't the key it should be. Inspect it; moved away, the next use makes a new pair. */
  keyDamaged: 'KEY_DAMAGED',
  /** The run has seals and no head, so that nothing can be chained to them. Verify the run. */
  chainHeadMissing: 'CHAIN_HEAD_MISSING',
  /** The chain in this folder is another run's. Name the folder of the run. */
  runDiffers: 'RUN_DIFFERS',
} as const;
export type SealErrorCode = (typeof SealErrorCode)[keyof typeof SealErrorCode];

const BRAND = Symbol.for('@bailiwick/attempt-evidence/SealError');

/** The typed facts of a SealError; a fact that doesn't apply is absent. */
export interface SealErrorFields {
  readonly path?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** An error about sealing. Recognised across installed copies by its brand, not by its class. */
export class SealError extends Error {
  readonly code: SealErrorCode;
  /** The file or folder that it is about. */
  declare readonly path?: string;
  /** What to do about it. */
  declare readonly hint?: string;

  constructor(code: SealErrorCode, message: string, fields: SealErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'SealError';
    this.code = code;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.hint !== undefined) this.hint = fields.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** True for a SealError of any installed copy of this package. */
export function isSealError(value: unknown): value is SealError {
  return value instanceof SealError;
}
