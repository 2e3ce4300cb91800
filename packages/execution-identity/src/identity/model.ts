import type { DutyId, ExecutionLabel, InvocationRef, ParticipantRef, RoleExecutionRef, WorkerId } from '../ids/ids.ts';
import type { Role } from '../roles.ts';

/** Who ran an attempt of a v2 job: participant, role execution, invocation, attempt (ID-4). */
export interface ExecutionIdentity {
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly invocationRef: InvocationRef;
  readonly executionLabel: ExecutionLabel;
  readonly dutyId: DutyId;
  /** From 1. */
  readonly attempt: number;
}

/** The identity that a record, event or error row carries: v2 without a worker id, v1 without refs (ID-6). */
export type RecordedIdentity =
  | ({ readonly generation: 'v2' } & ExecutionIdentity)
  | { readonly generation: 'v1'; readonly workerId: WorkerId; readonly attempt: number };

/** A participant as the run manifest names it. */
export interface ParticipantRow {
  readonly participantRef: ParticipantRef;
  readonly workerId: WorkerId;
  readonly provider: string;
}

/** The part of a manifest's role execution that identity is checked against. */
export interface RoleExecutionRow {
  readonly roleExecutionRef: RoleExecutionRef;
  readonly participantRef: ParticipantRef;
  readonly executionLabel: ExecutionLabel;
  readonly role: Role;
  /** From 1 within the role. */
  readonly ordinal: number;
}

/** The part of the run manifest that identity is checked against; a whole manifest fits. */
export interface IdentityManifest {
  readonly participants: readonly ParticipantRow[];
  readonly roleExecutions: readonly RoleExecutionRow[];
}
