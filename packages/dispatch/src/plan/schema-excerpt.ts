import { type DocumentCodec, defineDocument, readDocument, writeDocument } from '@bailiwick/durable-files';
import type { Role } from '@bailiwick/execution-identity';
import { DispatchError } from '../errors.ts';
import { SchemaExcerptV1 } from './schema-excerpt-v1.ts';

/** The version of the result contract that this code collects by; an excerpt of another one would ask for what isn't read. */
export const RESULT_CONTRACT_VERSION = '1.0';

/** `<prompt>.schema.json`: the part of the result contract that a prompt quotes, and which version it was made by. */
interface SchemaExcerpt {
  readonly schemaVersion: '1.0';
  readonly madeBy: string;
  readonly role: Role;
  /** What the result must hold, in the words of the prompt. */
  readonly excerpt: string;
}

const codec: DocumentCodec<SchemaExcerpt> = defineDocument<SchemaExcerpt>({
  name: 'schema excerpt',
  version: '1.0',
  schema: SchemaExcerptV1,
});

/** Writes the excerpt that goes with a prompt, made by the installed version. Durable when it returns. */
export async function saveSchemaExcerpt(promptPath: string, role: Role, excerpt: string): Promise<void> {
  const made: SchemaExcerpt = { schemaVersion: '1.0', madeBy: RESULT_CONTRACT_VERSION, role, excerpt };
  await writeDocument(excerptPathOf(promptPath), codec, made);
}

/** Refuses a prompt whose excerpt another version made, with both versions (PL-6); a prompt without one quotes nothing. */
export async function checkSchemaExcerpt(promptPath: string): Promise<void> {
  const stored = await readDocument(excerptPathOf(promptPath), codec);
  if (stored === undefined || stored.madeBy === RESULT_CONTRACT_VERSION) return;
  throw new DispatchError(
    'SCHEMA_EXCERPT_STALE',
    `the prompt quotes result contract ${stored.madeBy}; installed is ${RESULT_CONTRACT_VERSION}`,
    { path: excerptPathOf(promptPath), hint: 'make the run anew with the installed version' },
  );
}

function excerptPathOf(promptPath: string): string {
  return `${promptPath}.schema.json`;
}
