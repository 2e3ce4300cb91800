import { z } from 'zod';
import { DOCUMENT_VERSION } from './version.ts';

/** What one command prints: nothing else may stand in it, and the version always does. */
export function document<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ schemaVersion: z.literal(DOCUMENT_VERSION), ...shape });
}

/** A document as a command hands it to its output, which adds the version. */
export type Printed<D extends z.ZodType> = DeepReadonly<Omit<z.infer<D>, 'schemaVersion'>>;

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** A path as the audit has it: text, or its bytes where it isn't UTF-8. */
export const PathName = z.union([z.string().min(1), z.strictObject({ pathBytes: z.base64() })]);

/** An absolute path. */
export const AbsolutePath = z.string().regex(/^\//);

export const Timestamp = z.iso.datetime({ precision: 3 });
export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export const Count = z.int().min(0);
export const AttemptNumber = z.int().min(1);
