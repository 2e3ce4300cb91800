import { standingOf } from './document-version.ts';
import { type DocumentIssue, DurableFileError } from './errors.ts';
import { findNonJson, type JsonValue } from './json-value.ts';
import { documentIssuesOf } from './schema-issues.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

/** How one kind of document is read and written. */
export interface DocumentCodec<T> {
  /** What a person calls it: "dispatch record". */
  readonly name: string;
  readonly version: string;
  /** Takes what JSON.parse gave; `where` is the path or another place for messages. */
  decode(value: unknown, where: string): T;
  /** The JSON to store. */
  encode(value: T): JsonValue;
}

/** What makes a document's codec. */
export interface DocumentDefinition<T> {
  readonly name: string;
  /** Integers joined by dots: "1.0". */
  readonly version: string;
  /** Describes the whole document, its version field included. Must validate synchronously. */
  readonly schema: StandardSchemaV1<unknown, T>;
  /** Default `schemaVersion`. */
  readonly versionField?: string;
  /** Rules across fields, which a published schema can't hold. An empty list means: fine. */
  readonly check?: (value: T) => readonly DocumentIssue[];
  /** From each older version that is still read, what makes a document of a later one of it. */
  readonly upgrade?: Readonly<Record<string, (old: unknown) => unknown>>;
}

/**
 * Makes the codec of a document with a version.
 *
 * `decode` takes the version this code knows, and older ones that can be upgraded; it throws DOCUMENT_NEWER_VERSION
 * for a newer one and DOCUMENT_INVALID, with JSON pointers, for everything that doesn't fit schema or check.
 * `encode` checks the same, so nothing is stored that couldn't be read again. It adds the version field where the
 * value has none, and leaves out members that are undefined.
 */
export function defineDocument<T>(definition: DocumentDefinition<T>): DocumentCodec<T> {
  return {
    name: definition.name,
    version: definition.version,
    decode: (value, where) => validate(definition, upgraded(definition, value, where), where),
    encode: (value) => encodeDocument(definition, value),
  };
}

function encodeDocument<T>(definition: DocumentDefinition<T>, value: T): JsonValue {
  const field = fieldOf(definition);
  const versioned =
    isObject(value) && value[field] === undefined
      ? { [field]: definition.version, ...value, [field]: definition.version }
      : value;
  const where = `a ${definition.name} to be written`;
  refuseOtherVersion(definition, versioned, where);
  const checked = validate(definition, versioned, where);
  const found = findNonJson(checked, { undefinedMembers: 'dropped', loneSurrogates: 'kept' });
  if (found !== undefined)
    throw invalid(definition, where, [{ path: found.pointer, message: `${found.what} is not JSON data` }]);
  // The check before says that it is JSON, undefined members apart.
  return withoutUndefined(checked as JsonValue);
}

/** Not by way of its text, which for a thousand large documents is garbage by the hundred megabytes. */
function withoutUndefined(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value === 0 ? 0 : value; // JSON has no -0
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(withoutUndefined);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUndefined(member)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function upgraded<T>(definition: DocumentDefinition<T>, value: unknown, where: string): unknown {
  const known = Object.keys(definition.upgrade ?? {}).length;
  let current = value;
  // Each step leads to a later version, so there can't be more of them than there are.
  for (let step = 0; step <= known; step += 1) {
    const standing = standingOf(versionOf(definition, current, where), definition.version);
    if (standing.kind === 'current') return current;
    if (standing.kind === 'newer') throw newerVersion(definition, standing.version, where);
    if (standing.kind === 'unusable')
      throw invalid(definition, where, [{ path: `/${fieldOf(definition)}`, message: standing.message }]);
    current = upgradeOnce(definition, current, standing.version, where);
  }
  throw new TypeError(`the upgrades of the ${definition.name} don't lead to version ${definition.version}`);
}

function upgradeOnce<T>(definition: DocumentDefinition<T>, old: unknown, version: string, where: string): unknown {
  const upgrade = definition.upgrade?.[version];
  if (upgrade !== undefined) return upgrade(old);
  const message = `version ${version} is older than "${definition.version}" and no longer read`;
  throw invalid(definition, where, [{ path: `/${fieldOf(definition)}`, message }]);
}

function refuseOtherVersion<T>(definition: DocumentDefinition<T>, value: unknown, where: string): void {
  const standing = standingOf(versionOf(definition, value, where), definition.version);
  if (standing.kind === 'current') return;
  const message = `only version "${definition.version}" is written`;
  throw invalid(definition, where, [{ path: `/${fieldOf(definition)}`, message }]);
}

function versionOf<T>(definition: DocumentDefinition<T>, value: unknown, where: string): unknown {
  if (!isObject(value)) throw invalid(definition, where, [{ path: '', message: 'this is not a JSON object' }]);
  return Object.hasOwn(value, fieldOf(definition)) ? value[fieldOf(definition)] : undefined;
}

function validate<T>(definition: DocumentDefinition<T>, value: unknown, where: string): T {
  const result = definition.schema['~standard'].validate(value);
  if (result instanceof Promise)
    throw new TypeError(`the schema of the ${definition.name} has to validate synchronously`);
  if (result.issues !== undefined) throw invalid(definition, where, documentIssuesOf(result.issues));
  const issues = definition.check?.(result.value) ?? [];
  if (issues.length > 0) throw invalid(definition, where, issues);
  return result.value;
}

function invalid<T>(
  definition: DocumentDefinition<T>,
  where: string,
  issues: readonly DocumentIssue[],
): DurableFileError {
  return new DurableFileError('DOCUMENT_INVALID', `this is no valid ${definition.name}`, { path: where, issues });
}

function newerVersion<T>(definition: DocumentDefinition<T>, version: string, where: string): DurableFileError {
  return new DurableFileError(
    'DOCUMENT_NEWER_VERSION',
    `this ${definition.name} has version ${version}, and "${definition.version}" is known`,
    {
      path: where,
      hint: 'Use the newer version of this software that wrote it',
    },
  );
}

function fieldOf<T>(definition: DocumentDefinition<T>): string {
  return definition.versionField ?? 'schemaVersion';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
