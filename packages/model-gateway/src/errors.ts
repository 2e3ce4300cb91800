/**
 * What went wrong, and what the caller may do:
 *
 * - `GATEWAY_UNAVAILABLE`: nothing can listen on loopback; free the port, or go without a gateway.
 * - `GATEWAY_CLOSED`: it was closed; open another one.
 * - `ROUTE_INVALID`: mend the field that `field` names.
 */
export type GatewayErrorCode = 'GATEWAY_UNAVAILABLE' | 'GATEWAY_CLOSED' | 'ROUTE_INVALID';

/** Typed facts of a GatewayError. */
export interface GatewayErrorDetails {
  readonly field?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('@bailiwick/model-gateway/GatewayError');

/** The one error class of this package; recognised across installed copies by `instanceof`. */
export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  declare readonly field?: string;

  constructor(code: GatewayErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'GatewayError';
    this.code = code;
    if (details.field !== undefined) this.field = details.field;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value);
  }
}

/** True for a GatewayError of any installed copy of this package. */
export function isGatewayError(value: unknown): value is GatewayError {
  return isBranded(value);
}

function isBranded(value: unknown): boolean {
  return typeof value === 'object' && value !== null && BRAND in value;
}
