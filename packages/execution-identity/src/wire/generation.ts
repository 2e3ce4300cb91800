import { IdentityErrorCode, type IdentityIssue } from '../errors.ts';
import type { JsonRecord } from '../json-record.ts';
import { show } from '../show.ts';
import { documentError } from './decode-document.ts';

const V1_VERSION = 1;
const V2_VERSION = '2.0';
const V2_MAJOR = 2;
const V2_IDENTITY_VERSION = 2;

/** Each generation's keys that the other doesn't have. */
const ONLY_V1 = ['workerId'] as const;
const ONLY_V2 = ['participantRef', 'roleExecutionRef', 'invocationRef', 'executionLabel', 'dutyId', 'attempt'] as const;

/**
 * Which generation of identity a document is of (ID-1). Throws NEWER_VERSION where both version fields are of a later
 * one, else GENERATIONS_MIXED where they don't belong together or a key of the other generation is there.
 */
export function generationOf(document: JsonRecord, where: string): 'v1' | 'v2' {
  const generation = generationOfVersions(document);
  if (generation === undefined) throw documentError(versionIssues(document), where);
  const strays = generation === 'v1' ? ONLY_V2 : ONLY_V1;
  const mixed = strays.filter((key) => Object.hasOwn(document, key));
  if (mixed.length === 0) return generation;
  throw documentError(
    mixed.map((key) => mixedKey(key, generation)),
    where,
  );
}

function generationOfVersions(document: JsonRecord): 'v1' | 'v2' | undefined {
  const hasIdentityVersion = Object.hasOwn(document, 'executionIdentityVersion');
  const schemaVersion = document['schemaVersion'];
  if (schemaVersion === V1_VERSION && !hasIdentityVersion) return 'v1';
  const isV2 = schemaVersion === V2_VERSION && document['executionIdentityVersion'] === V2_IDENTITY_VERSION;
  return isV2 ? 'v2' : undefined;
}

function versionIssues(document: JsonRecord): readonly IdentityIssue[] {
  const newer = isNewer(document);
  const code = newer ? IdentityErrorCode.newerVersion : IdentityErrorCode.generationsMixed;
  const means = newer ? 'comes from a newer version of the program: update it' : 'mixes generations of identity';
  return (['schemaVersion', 'executionIdentityVersion'] as const).map((key) => {
    const found = Object.hasOwn(document, key) ? `is ${show(document[key])}` : 'is absent';
    return { code, path: `/${key}`, message: `${found}: ${means}` };
  });
}

function isNewer(document: JsonRecord): boolean {
  const { schemaVersion, executionIdentityVersion: identityVersion } = document;
  const parts = typeof schemaVersion === 'string' ? /^([1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/.exec(schemaVersion) : null;
  if (parts === null || !Number.isInteger(identityVersion)) return false;
  const [major, minor, identity] = [Number(parts[1]), Number(parts[2]), Number(identityVersion)];
  const isLater = major > V2_MAJOR || (major === V2_MAJOR && minor > 0);
  return isLater && identity >= V2_IDENTITY_VERSION;
}

function mixedKey(key: string, generation: 'v1' | 'v2'): IdentityIssue {
  const message = `belongs to the other generation than ${generation}: the document mixes generations of identity`;
  return { code: IdentityErrorCode.generationsMixed, path: `/${key}`, message };
}
