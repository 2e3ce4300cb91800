import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '../src/documents/json-schemas.ts';

// A test compares what is committed with what is generated; run this after a change of a schema.
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(join(import.meta.dirname, '..', 'schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
