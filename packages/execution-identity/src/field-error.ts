import { IdentityError, type IdentityErrorCode } from './errors.ts';

/** The error about one field's value; `where` is the file, or the caller's words for where the value came from. */
export function fieldError(
  code: IdentityErrorCode,
  said: string,
  o: { readonly field: string; readonly where: string | undefined; readonly hint?: string },
): IdentityError {
  const message = o.where === undefined ? `${o.field}: ${said}` : `${o.where}: ${o.field}: ${said}`;
  return new IdentityError(code, message, {
    field: o.field,
    ...(o.where === undefined ? {} : { path: o.where }),
    ...(o.hint === undefined ? {} : { hint: o.hint }),
  });
}
