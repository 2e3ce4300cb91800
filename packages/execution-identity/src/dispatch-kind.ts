import { IdentityErrorCode } from './errors.ts';
import { fieldError } from './field-error.ts';
import { COUNT, exactly } from './ids/grammar.ts';
import { show } from './show.ts';

/** What a dispatch is for; `reverify-r<N>` is the verification of round N. */
export type DispatchKind = 'initial' | 'translator' | 'report' | `reverify-r${number}`;

const REVERIFY = 'reverify-r';

/** What parseDispatchKind accepts, as a pattern for schemas. */
export const dispatchKindPattern = exactly(`(?:initial|translator|report|${REVERIFY}${COUNT})`);

/** Returns the value unchanged, or throws DISPATCH_KIND_INVALID, for a malformed `reverify-r…` too (ID-8). */
export function parseDispatchKind(value: unknown, where?: string): DispatchKind {
  if (isDispatchKind(value)) return value;
  const said = `${show(value)} is not a dispatch kind: initial, translator, report, or ${REVERIFY}<N> with N from 1 to 999999`;
  throw fieldError(IdentityErrorCode.dispatchKindInvalid, said, { field: 'dispatchKind', where });
}

/** True for exactly what parseDispatchKind returns. */
export function isDispatchKind(value: unknown): value is DispatchKind {
  return typeof value === 'string' && dispatchKindPattern.test(value);
}

/** The round of an invocation: N for `reverify-r<N>`, else 1 (ID-8). Throws DISPATCH_KIND_INVALID. */
export function roundOfDispatchKind(kind: DispatchKind): number {
  const text = parseDispatchKind(kind);
  return text.startsWith(REVERIFY) ? Number(text.slice(REVERIFY.length)) : 1;
}
