import { type DocumentDefinition, defineDocument, type StandardSchemaV1 } from '../src/index.ts';

/** A document for tests: a number, and a text that gives the file its size. */
export interface Counter {
  readonly schemaVersion: '2.0';
  readonly count: number;
  readonly note?: string | undefined;
}

const fields = new Set(['schemaVersion', 'count', 'note']);

function issuesOf(value: object): { message: string; path: string[] }[] {
  const unknown = Object.keys(value).filter((key) => !fields.has(key));
  const issues = unknown.map((key) => ({ message: 'unknown field', path: [key] }));
  if (!('count' in value && Number.isInteger(value.count)))
    issues.push({ message: 'expected an integer', path: ['count'] });
  return issues;
}

/** Written by hand, so that no schema library is needed here. */
export const counterSchema: StandardSchemaV1<unknown, Counter> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      const issues = issuesOf(Object(value));
      // The issues say that the fields are those of a counter.
      return issues.length > 0 ? { issues } : { value: value as Counter };
    },
  },
};

const definition: DocumentDefinition<Counter> = {
  name: 'counter',
  version: '2.0',
  schema: counterSchema,
  check: ({ count }) => (count < 0 ? [{ path: '/count', message: 'must not be negative' }] : []),
  upgrade: {
    '1': (old) => ({ ...Object(old), schemaVersion: '1.5' }),
    '1.5': (old) => ({ ...Object(old), schemaVersion: '2.0' }),
  },
};

export const counterCodec = defineDocument(definition);
