import type { DispatchKind } from '../dispatch-kind.ts';
import type { DutyId, InvocationId, InvocationRef, ParticipantRef, RoleExecutionRef } from '../ids/ids.ts';
import type { Audience } from '../roles.ts';

/** The leave to dispatch one prompt once; what the translator is dispatched from (TR-2). */
export interface Reservation {
  /** Reservations are of the second generation only. */
  readonly schemaVersion: '2.0';
  /** Goes with that `schemaVersion`. */
  readonly executionIdentityVersion: 2;
  /** With `attempt` the dispatch id whose claim consumes it. */
  readonly invocationId: InvocationId;
  /** `translator`: the key of the manifest's `invocationAssignments`. */
  readonly assignmentRef: string;
  /** `translator`. */
  readonly audience: Audience;
  /** `translator`. */
  readonly dispatchKind: DispatchKind;
  /** Project-relative inside the project, else absolute; as is `metadataPath`. */
  readonly promptPath: string;
  /** `<promptPath>.meta.json`, beside the prompt. */
  readonly metadataPath: string;
  /** Equal to the metadata's, as are all fields that both have (TR-3). */
  readonly invocationRef: InvocationRef;
  /** Whose reservation it is. */
  readonly participantRef: ParticipantRef;
  /** As what. */
  readonly roleExecutionRef: RoleExecutionRef;
  /** `translator`. */
  readonly dutyId: DutyId;
  /** From 1. */
  readonly attempt: number;
}
