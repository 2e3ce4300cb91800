import type { StandardSchemaV1 } from '@bailiwick/durable-files';
import type { z } from 'zod';

/** A domain type as JSON has it: ids are plain text, an optional member may be undefined, the rest is the same. */
type Stored<T> = T extends string
  ? StoredText<T>
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> | (Empty extends Pick<T, Key> ? undefined : never) }
      : T;

type Empty = Record<never, never>;

/** Literals stand for themselves; brands and patterns are text. */
type StoredText<T extends string> = Empty extends Record<T, 1> ? string : keyof T extends keyof string ? T : string;

/** The schema where what it decodes has exactly the stored form of `T`, else nothing that could be passed. */
type Describing<T, S extends z.ZodType> = [Stored<T>, Stored<z.output<S>>] extends [Stored<z.output<S>>, Stored<T>]
  ? S
  : never;

/**
 * A zod schema as the schema of a domain type. The compiler refuses one that describes anything else; the ids' schemas refuse exactly
 * what the ids' parsers refuse, so what passes is branded rightly.
 */
export function describing<T, S extends z.ZodType>(schema: Describing<T, S>): StandardSchemaV1<unknown, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'bailiwick',
      validate: (value) => {
        const result = schema.safeParse(value);
        // Sound by `Describing`, and by what the ids' schemas accept.
        return result.success ? { value: result.data as T } : { issues: result.error.issues };
      },
    },
  };
}
