import { randomBytes, randomUUID } from 'node:crypto';
import { IdentityErrorCode } from '../errors.ts';
import { fieldError } from '../field-error.ts';
import { show } from '../show.ts';
import { type BatchId, parseBatchId, parseRunId, parseSessionId, type RunId, type SessionId } from './ids.ts';

/**
 * A run id that sorts by its second and is its own file name on every platform: `r-20261129-161800-4f9a2c` (UTC).
 * `random` (lower-case letters and digits) tells runs of one second apart. Throws RUN_ID_INVALID.
 */
export function newRunId(now: Date, random = randomBytes(3).toString('hex')): RunId {
  const stamp = stampOf(now);
  if (/^[a-z0-9]{1,32}$/.test(random)) return parseRunId(`r-${stamp}-${random}`);
  const said = `${show(random)} is not 1 to 32 lower-case letters and digits`;
  throw fieldError(IdentityErrorCode.runIdInvalid, said, { field: 'random', where: undefined });
}

/** A batch id that no other batch has: `b-<UUID v4>`. */
export function newBatchId(): BatchId {
  return parseBatchId(`b-${randomUUID()}`);
}

/** A session id for an agent CLI that lets the caller choose it: a UUID v4. */
export function newSessionId(): SessionId {
  return parseSessionId(randomUUID());
}

/** `YYYYMMDD-HHMMSS`; only years of four digits keep the order of the text the order of time. */
function stampOf(now: Date): string {
  const iso = Number.isNaN(now.getTime()) ? '' : now.toISOString();
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(iso);
  if (parts) return `${parts.slice(1, 4).join('')}-${parts.slice(4).join('')}`;
  const said = `${iso === '' ? 'an invalid date' : show(iso)} can't be part of a run id`;
  throw fieldError(IdentityErrorCode.runIdInvalid, said, { field: 'now', where: undefined });
}
