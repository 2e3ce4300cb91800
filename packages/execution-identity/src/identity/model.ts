import type { DutyId, ExecutionLabel, InvocationRef, ParticipantRef, RoleExecutionRef, WorkerId } from '../ids/ids.ts';
import type { Role } from '../roles.ts';

/** Who ran an attempt of a v2 job: participant, role execution, invocation, attempt (ID-4). */
export interface ExecutionIdentity {
  /** Who: the manifest's participant. */
  readonly participantRef: ParticipantRef;
  /** As what: the manifest's role execution, which names that participant. */
  readonly roleExecutionRef: RoleExecutionRef;
  /** For what: the same in all attempts of one duty. */
  readonly invocationRef: InvocationRef;
  /** The role execution's name for a person; equal to the manifest's. */
  readonly executionLabel: ExecutionLabel;
  /** What is asked, such as `verify`. */
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
  /** One participant has it. */
  readonly participantRef: ParticipantRef;
  /** The seat that it has in the team. */
  readonly workerId: WorkerId;
  /** The agent CLI, such as `claude`. */
  readonly provider: string;
}

/** The part of a manifest's role execution that identity is checked against. */
export interface RoleExecutionRow {
  /** One role execution has it. */
  readonly roleExecutionRef: RoleExecutionRef;
  /** Names a row of `participants`. */
  readonly participantRef: ParticipantRef;
  /** What a person sees. */
  readonly executionLabel: ExecutionLabel;
  /** What every decision by role is taken from (ID-10). */
  readonly role: Role;
  /** From 1 within the role. */
  readonly ordinal: number;
}

/** The part of the run manifest that identity is checked against; a whole manifest fits. */
export interface IdentityManifest {
  /** Each ref once, or what names it is ambiguous. */
  readonly participants: readonly ParticipantRow[];
  /** Each ref once, or what names it is ambiguous. */
  readonly roleExecutions: readonly RoleExecutionRow[];
}
