import type { JsonValue } from '@bailiwick/durable-files';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import { parseAttempt } from '../ids/attempt.ts';
import {
  parseDutyId,
  parseExecutionLabel,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
  type WorkerId,
} from '../ids/ids.ts';
import { isRecord, type JsonRecord } from '../json-record.ts';
import { requireParticipant, requireRoleExecution } from './manifest-rows.ts';
import type { ExecutionIdentity, IdentityManifest, RecordedIdentity } from './model.ts';

const V2_KEYS = ['participantRef', 'roleExecutionRef', 'invocationRef', 'executionLabel', 'dutyId'] as const;
const V1_KEY = 'workerId';

/**
 * The fields that a record, event or error row carries of an identity, and no others (ID-6): of v2 the three refs,
 * `executionLabel`, `dutyId`, `attempt`; of v1 `workerId`, `attempt`. Throws the code of a field that is wrong.
 */
export function encodeIdentity(identity: RecordedIdentity): { readonly [key: string]: JsonValue } {
  if (identity.generation === 'v1') {
    return { workerId: parseWorkerId(identity.workerId), attempt: parseAttempt(identity.attempt) };
  }
  return { ...parseV2(identity) };
}

/**
 * The identity that a row carries among its other fields; `where` names the row in messages. What is missing or
 * disagrees with the manifest is refused, never guessed (ID-6, ID-7). Throws NOT_AN_OBJECT, GENERATIONS_MIXED,
 * IDENTITY_INCOMPLETE, the code of a wrong field, ROLE_EXECUTION_*, PARTICIPANT_*, LABEL_DISAGREES.
 */
export function decodeIdentity(row: unknown, manifest: IdentityManifest, where: string): RecordedIdentity {
  const fields = requireRow(row, where);
  refuseMixture(fields, where);
  const isV1 = Object.hasOwn(fields, V1_KEY);
  requireWhole(fields, isV1 ? [V1_KEY, 'attempt'] : [...V2_KEYS, 'attempt'], where);
  if (isV1) {
    const workerId = parseWorkerId(fields['workerId'], where);
    return { generation: 'v1', workerId, attempt: parseAttempt(fields['attempt'], where) };
  }
  const identity = parseV2(fields, where);
  requireParticipant(requireRoleExecution(identity, manifest, where).participantRef, manifest, where);
  return { generation: 'v2', ...identity };
}

/**
 * The worker behind an identity: of v2 the one that its participant names in the manifest, of v1 its own (ID-7).
 * Throws ROLE_EXECUTION_*, PARTICIPANT_* or LABEL_DISAGREES where the manifest doesn't hold the identity.
 */
export function workerOf(identity: RecordedIdentity, manifest: IdentityManifest): WorkerId {
  if (identity.generation === 'v1') return identity.workerId;
  const where = `identity of ${identity.invocationRef}`;
  requireRoleExecution(identity, manifest, where);
  return requireParticipant(identity.participantRef, manifest, where).workerId;
}

function requireRow(row: unknown, where: string): JsonRecord {
  if (isRecord(row)) return row;
  throw new IdentityError(IdentityErrorCode.notAnObject, `${where}: an identity is read from an object`, {
    path: where,
  });
}

function refuseMixture(row: JsonRecord, where: string): void {
  const stray = V2_KEYS.find((key) => Object.hasOwn(row, key));
  if (stray === undefined || !Object.hasOwn(row, V1_KEY)) return;
  const message = `${where}: mixes generations of identity: workerId (v1) beside ${stray} (v2)`;
  throw new IdentityError(IdentityErrorCode.generationsMixed, message, { field: stray, path: where });
}

function requireWhole(row: JsonRecord, keys: readonly string[], where: string): void {
  const missing = keys.filter((key) => !Object.hasOwn(row, key));
  const [first] = missing;
  if (first === undefined) return;
  const message = `${where}: the identity lacks ${missing.join(', ')}; it is not completed by guess`;
  throw new IdentityError(IdentityErrorCode.identityIncomplete, message, { field: first, path: where });
}

function parseV2(fields: JsonRecord | ExecutionIdentity, where?: string): ExecutionIdentity {
  const of: { readonly [Key in keyof ExecutionIdentity]?: unknown } = fields;
  return {
    participantRef: parseParticipantRef(of.participantRef, where),
    roleExecutionRef: parseRoleExecutionRef(of.roleExecutionRef, where),
    invocationRef: parseInvocationRef(of.invocationRef, where),
    executionLabel: parseExecutionLabel(of.executionLabel, where),
    dutyId: parseDutyId(of.dutyId, where),
    attempt: parseAttempt(of.attempt, where),
  };
}
