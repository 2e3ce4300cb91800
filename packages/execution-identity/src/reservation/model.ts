import type { DispatchKind } from '../dispatch-kind.ts';
import type { DutyId, InvocationId, InvocationRef, ParticipantRef, RoleExecutionRef } from '../ids/ids.ts';
import type { Audience } from '../roles.ts';

/** The leave to dispatch one prompt once; what the translator is dispatched from (TR-2). */
export interface Reservation {
  readonly schemaVersion: '2.0';
  readonly executionIdentityVersion: 2;
  readonly invocationId: InvocationId;
  readonly assignmentRef: string;
  readonly audience: Audience;
  readonly dispatchKind: DispatchKind;
  /** Project-relative inside the project, else absolute; as is `metadataPath`. */
  readonly promptPath: string;
  readonly metadataPath: string;
  readonly invocationRef: InvocationRef;
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly dutyId: DutyId;
  readonly attempt: number;
}
