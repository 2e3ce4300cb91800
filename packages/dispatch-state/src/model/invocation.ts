import type { Digest } from '@bailiwick/durable-files';
import type {
  DispatchKind,
  DutyId,
  InvocationRef,
  ParticipantRef,
  RoleExecutionRef,
} from '@bailiwick/execution-identity';
import type { WriteEnforcement, WritePolicy } from '@bailiwick/write-policy';

/** One duty of one role execution: what is asked and where it may write (ID-4). Immutable once launched. */
export interface Invocation {
  readonly schemaVersion: '1.0';
  readonly invocationRef: InvocationRef;
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  /** The invocation that this one works on; null where it works from the task. */
  readonly sourceInvocationRef: InvocationRef | null;
  /** The invocation that this one makes up for; null for the first of its duty. */
  readonly recoveryRef: string | null;
  readonly dutyId: DutyId;
  readonly dispatchKind: DispatchKind;
  /** 1, or N of `reverify-r<N>` (ID-8). */
  readonly round: number;
  /** Over the prompt's bytes. */
  readonly inputDigest: Digest;
  readonly writePolicy: WritePolicy;
  /** Over policy and enforcement together (WP-1). */
  readonly writePolicyDigest: Digest;
  readonly writeEnforcement: WriteEnforcement;
}
