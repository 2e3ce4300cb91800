/**
 * What went wrong, and what the caller may do:
 *
 * - `PROVIDER_UNKNOWN`: fix the id (or declare the command as `custom`).
 * - `PROVIDER_UNSUPPORTED`: the program is known and can't be dispatched; take another one.
 * - `REQUEST_INVALID`: fix the field that `field` names.
 * - `DECLARATION_INVALID`: fix the declaration of a custom command.
 * - `PROMPT_TOO_LARGE`: shorten the prompt, or take a provider with a higher limit.
 */
export type ProviderErrorCode =
  | 'PROVIDER_UNKNOWN'
  | 'PROVIDER_UNSUPPORTED'
  | 'REQUEST_INVALID'
  | 'DECLARATION_INVALID'
  | 'PROMPT_TOO_LARGE';

/** Typed facts of a ProviderError. */
export interface ProviderErrorDetails {
  readonly providerId?: string;
  readonly field?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/agent-providers/ProviderError');

/** The one error class of this package; recognised across installed copies by `instanceof`. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  declare readonly providerId?: string;
  declare readonly field?: string;
  declare readonly hint?: string;

  constructor(code: ProviderErrorCode, message: string, details: ProviderErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'ProviderError';
    this.code = code;
    if (details.providerId !== undefined) this.providerId = details.providerId;
    if (details.field !== undefined) this.field = details.field;
    if (details.hint !== undefined) this.hint = details.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value);
  }
}

/** True for a ProviderError of any installed copy of this package. */
export function isProviderError(value: unknown): value is ProviderError {
  return isBranded(value);
}

function isBranded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && BRAND in value;
}
