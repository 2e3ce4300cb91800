import { z } from 'zod';

// Fields of a foreign event: absent, and of another type than expected, are the same to us. An event with one odd field
// must still yield the others.

/** A string, or undefined. */
export const text = z.string().optional().catch(undefined);

/** A number, or undefined. */
export const number = z.number().optional().catch(undefined);

/** A boolean, or undefined. */
export const flag = z.boolean().optional().catch(undefined);

/** Anything. */
export const anything = z.unknown().optional();

/** An object with these fields among others, or undefined. */
export function object<S extends z.ZodRawShape>(shape: S) {
  return z.looseObject(shape).optional().catch(undefined);
}

/** An array of such objects, without the entries that are none, or undefined. */
export function list<S extends z.ZodRawShape>(shape: S) {
  return z.array(object(shape)).optional().catch(undefined);
}

/** What a program's events look like. */
export interface EventForm<T> {
  /** Never fails: a field of another type than expected is absent. */
  parse(raw: unknown): T;
}

/** An event as its form reads it. */
export type EventOf<F> = F extends EventForm<infer T> ? T : never;

/** An object with these fields among others. Built at the first event: a command that reads no stream pays nothing for it. */
export function eventForm<S extends z.ZodRawShape>(fields: () => S): EventForm<z.infer<z.ZodObject<S, z.core.$loose>>> {
  let form: z.ZodObject<S, z.core.$loose> | undefined;
  return {
    parse: (raw) => {
      form ??= z.looseObject(fields());
      return form.parse(raw);
    },
  };
}

/** An object whose keys are data, or undefined. */
export const record = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** A string member of an object that may be anything. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const parsed = record.parse(value);
  for (const key of keys) {
    const found = parsed?.[key];
    if (typeof found === 'string') return found;
  }
  return undefined;
}
