import { IdentityError, IdentityErrorCode } from '../errors.ts';
import type { ExecutionLabel, ParticipantRef, RoleExecutionRef } from '../ids/ids.ts';
import { show } from '../show.ts';
import type { ParticipantRow, RoleExecutionRow } from './model.ts';

/** The part of an identity that the manifest can contradict. */
export interface ClaimedRole {
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly executionLabel: ExecutionLabel;
}

/**
 * The role execution that an identity names, where participant and label agree with it (ID-3, ID-7).
 * Throws ROLE_EXECUTION_UNKNOWN, ROLE_EXECUTION_AMBIGUOUS, PARTICIPANT_DISAGREES or LABEL_DISAGREES, in this order.
 */
export function requireRoleExecution<R extends RoleExecutionRow>(
  claimed: ClaimedRole,
  manifest: { readonly roleExecutions: readonly R[] },
  where: string,
): R {
  const rows = manifest.roleExecutions.filter((row) => row.roleExecutionRef === claimed.roleExecutionRef);
  const row = theOnly(rows, {
    subject: `role execution ${show(claimed.roleExecutionRef)}`,
    field: 'roleExecutionRef',
    unknown: IdentityErrorCode.roleExecutionUnknown,
    ambiguous: IdentityErrorCode.roleExecutionAmbiguous,
    where,
  });
  requireSame(claimed, row, { key: 'participantRef', code: IdentityErrorCode.participantDisagrees, where });
  requireSame(claimed, row, { key: 'executionLabel', code: IdentityErrorCode.labelDisagrees, where });
  return row;
}

/** The participant of that ref. Throws PARTICIPANT_UNKNOWN or PARTICIPANT_AMBIGUOUS. */
export function requireParticipant<P extends ParticipantRow>(
  participantRef: ParticipantRef,
  manifest: { readonly participants: readonly P[] },
  where: string,
): P {
  const rows = manifest.participants.filter((row) => row.participantRef === participantRef);
  return theOnly(rows, {
    subject: `participant ${show(participantRef)}`,
    field: 'participantRef',
    unknown: IdentityErrorCode.participantUnknown,
    ambiguous: IdentityErrorCode.participantAmbiguous,
    where,
  });
}

interface Wanted {
  readonly subject: string;
  readonly field: string;
  readonly unknown: IdentityErrorCode;
  readonly ambiguous: IdentityErrorCode;
  readonly where: string;
}

function theOnly<Row>(rows: readonly Row[], wanted: Wanted): Row {
  const [row] = rows;
  const fields = { field: wanted.field, path: wanted.where };
  if (row === undefined) {
    const message = `${wanted.where}: ${wanted.subject} is not in the run manifest`;
    throw new IdentityError(wanted.unknown, message, { ...fields, hint: 'make the prompt again from this run' });
  }
  if (rows.length === 1) return row;
  const message = `${wanted.where}: ${wanted.subject} stands in ${rows.length} rows of the run manifest`;
  throw new IdentityError(wanted.ambiguous, message, {
    ...fields,
    hint: 'make the run again: its manifest is ambiguous',
  });
}

function requireSame(
  claimed: ClaimedRole,
  row: RoleExecutionRow,
  o: { key: 'participantRef' | 'executionLabel'; code: IdentityErrorCode; where: string },
): void {
  if (row[o.key] === claimed[o.key]) return;
  const said = `${o.key} is ${show(claimed[o.key])}`;
  const stands = `the run manifest has ${show(row[o.key])} for role execution ${show(row.roleExecutionRef)}`;
  const fields = { field: o.key, path: o.where, hint: 'make the prompt again from this run' };
  throw new IdentityError(o.code, `${o.where}: ${said}, but ${stands}`, fields);
}
