import type { JsonValue, StandardIssue, StandardSchemaV1 } from '@bailiwick/durable-files';
import { DispatchStateError } from '../errors.ts';

/** How one kind of log line is read and written. */
export interface RowCodec<T> {
  /** The row, or undefined for what is no row of this kind. */
  decode(row: JsonValue): T | undefined;
  /** The JSON to append; LOG_ROW_INVALID for what could not be read again. */
  encode(row: T): JsonValue;
}

/** Makes the codec of a log's lines; `name` is what a person calls one. The schema must validate synchronously. */
export function defineRow<T>(name: string, schema: StandardSchemaV1<unknown, T>): RowCodec<T> {
  return {
    decode: (row) => {
      const result = validate(schema, row);
      return 'value' in result ? result.value : undefined;
    },
    encode: (row) => {
      const result = validate(schema, row);
      if (!('value' in result)) throw invalid(name, result.issues);
      // What the schema passes is strings, numbers, booleans, nulls, and lists and objects of these.
      return result.value as unknown as JsonValue;
    },
  };
}

function validate<T>(schema: StandardSchemaV1<unknown, T>, row: unknown) {
  const result = schema['~standard'].validate(row);
  if (result instanceof Promise) throw new TypeError('the schema of a log row has to validate synchronously');
  return result.issues === undefined ? { value: result.value } : { issues: result.issues };
}

function invalid(name: string, issues: readonly StandardIssue[]): DispatchStateError {
  const words = issues.map(({ path, message }) => `${(path ?? []).map(String).join('.') || '(row)'}: ${message}`);
  return new DispatchStateError('LOG_ROW_INVALID', `this is no valid ${name}: ${words.join('; ')}`, {
    hint: 'nothing was appended; correct what made the row',
  });
}
