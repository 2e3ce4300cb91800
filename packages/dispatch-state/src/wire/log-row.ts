import { type DocumentIssue, documentIssuesOf, type JsonValue, type StandardSchemaV1 } from '@bailiwick/durable-files';
import { DispatchStateError } from '../errors.ts';

/** How one kind of log line is read and written. */
export interface RowCodec<T> {
  /** The row, or undefined for what is no row of this kind. */
  decode(row: JsonValue): T | undefined;
  /** The JSON to append. Throws DispatchStateError LOG_ROW_INVALID, with `issues`, for what could not be read again. */
  encode(row: T): JsonValue;
}

/** Makes the codec of a log's lines; `name` is what a person calls one. The schema must validate synchronously. */
export function defineRow<T>(name: string, schema: StandardSchemaV1<unknown, T>): RowCodec<T> {
  return {
    decode: (row) => {
      const result = validate(schema, row);
      return result.issues === undefined ? result.value : undefined;
    },
    encode: (row) => {
      const result = validate(schema, row);
      if (result.issues !== undefined) throw invalid(name, documentIssuesOf(result.issues));
      // What these schemas pass is strings, numbers, booleans, nulls, and lists and objects of these.
      return result.value as unknown as JsonValue;
    },
  };
}

function validate<T>(schema: StandardSchemaV1<unknown, T>, row: unknown) {
  const result = schema['~standard'].validate(row);
  if (result instanceof Promise) throw new TypeError('the schema of a log line has to validate synchronously');
  return result;
}

function invalid(name: string, issues: readonly DocumentIssue[]): DispatchStateError {
  const words = issues.map(({ path, message }) => `${path || '(line)'}: ${message}`).join('; ');
  return new DispatchStateError('LOG_ROW_INVALID', `this is no valid ${name}: ${words}`, {
    issues,
    hint: 'nothing was appended; correct what made the line',
  });
}
