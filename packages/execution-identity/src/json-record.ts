export type JsonRecord = { readonly [key: string]: unknown };

/** True for what JSON calls an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
