import type { z } from 'zod';
import { IdentityError, IdentityErrorCode, type IdentityIssue } from '../errors.ts';
import { type IdGrammar, whyNot } from '../ids/grammar.ts';
import { grammars } from '../ids/grammars.ts';
import { isRecord, type JsonRecord } from '../json-record.ts';
import { printable, show } from '../show.ts';

/** How many findings a message spells out; `issues` has them all. */
const MOST_TOLD = 5;

const CODE_OF_FIELD: Readonly<Record<string, IdentityErrorCode>> = {
  ...Object.fromEntries(Object.values(grammars).map((grammar) => [grammar.field, grammar.code])),
  schemaVersion: IdentityErrorCode.generationsMixed,
  executionIdentityVersion: IdentityErrorCode.generationsMixed,
  audience: IdentityErrorCode.audienceInvalid,
  assignment: IdentityErrorCode.assignmentInvalid,
  dispatchKind: IdentityErrorCode.dispatchKindInvalid,
  inputDigest: IdentityErrorCode.inputDigestInvalid,
  attempt: IdentityErrorCode.attemptInvalid,
  promptPath: IdentityErrorCode.pathInvalid,
  metadataPath: IdentityErrorCode.pathInvalid,
};
const grammarOfField: ReadonlyMap<string, IdGrammar> = new Map(Object.entries(grammars));

/**
 * The document as its schema describes it. Throws the code of the first finding, in the order of the schema's keys;
 * `issues` lists all of them with their JSON pointers.
 */
export function decodeDocument<S extends z.ZodType>(schema: S, document: JsonRecord, where: string): z.output<S> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw documentError(
    parsed.error.issues.flatMap((issue) => toIssues(issue, document)),
    where,
  );
}

/** Throws NOT_AN_OBJECT. */
export function requireDocument(value: unknown, where: string): JsonRecord {
  if (isRecord(value)) return value;
  const message = `is ${show(value)}, not a JSON object`;
  throw documentError([{ code: IdentityErrorCode.notAnObject, path: '', message }], where);
}

/** The error of a document with these findings, of which there is at least one. */
export function documentError(issues: readonly IdentityIssue[], where: string): IdentityError {
  const [first] = issues;
  if (first === undefined)
    return new IdentityError(IdentityErrorCode.notAnObject, `${where}: not readable`, { path: where });
  const told = issues.slice(0, MOST_TOLD).map((it) => `${printable(it.path) || 'the document'} ${it.message}`);
  const more = issues.length > MOST_TOLD ? [`${issues.length - MOST_TOLD} more`] : [];
  const said = [...told, ...more].join('; ');
  const field = first.path.split('/')[1];
  const named = field === undefined ? {} : { field: unescapePointer(field) };
  const hint = 'correct what is named, or make the file again';
  return new IdentityError(first.code, `${where}: ${said}`, { ...named, path: where, hint, issues });
}

/** The JSON pointer (RFC 6901) of a path of keys. */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function toIssues(issue: z.core.$ZodIssue, document: JsonRecord): readonly IdentityIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: IdentityErrorCode.fieldUnknown,
      path: pointerOf([...issue.path, key]),
      message: 'is no field of this document',
    }));
  }
  const path = pointerOf(issue.path);
  if (isMissing(document, issue.path)) return [{ code: IdentityErrorCode.fieldMissing, path, message: 'is missing' }];
  const field = String(issue.path[0] ?? '');
  const code = CODE_OF_FIELD[field] ?? IdentityErrorCode.notAnObject;
  return [{ code, path, message: explain(field, valueAt(document, issue.path), issue.message) }];
}

function explain(field: string, value: unknown, otherwise: string): string {
  const grammar = grammarOfField.get(field);
  if (grammar === undefined) return `is ${show(value)}: ${otherwise}`;
  return `is ${show(value)}, not ${grammar.called}: ${whyNot(grammar, value)}`;
}

function isMissing(document: JsonRecord, path: readonly PropertyKey[]): boolean {
  const parent = valueAt(document, path.slice(0, -1));
  const key = path.at(-1);
  return key !== undefined && isRecord(parent) && !Object.hasOwn(parent, key);
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[String(key)] : undefined),
    document,
  );
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
