import type { Digest } from '@bailiwick/durable-files';
import type {
  Audience,
  BatchId,
  DispatchId,
  DispatchKind,
  DutyId,
  ExecutionLabel,
  InvocationId,
  InvocationRef,
  ParticipantRef,
  Role,
  RoleExecutionRef,
  RunId,
  SessionId,
} from '@bailiwick/execution-identity';
import type { WriteEnforcement } from '@bailiwick/write-policy';
import type { BackendKind, DispatchStatus, EndProof } from '../stages.ts';
import type { Limits, ProcessIdentity, ServedModel, Usage } from './facts.ts';
import type { ContractOutcome, EvidenceOutcome, Lifecycle, ResultOutcome, RetryDecision } from './outcome.ts';

/** v2 identity as it stands in a record (ID-6). */
export interface RecordIdentityV2 {
  readonly executionIdentityVersion: 2;
  readonly participantRef: ParticipantRef;
  readonly roleExecutionRef: RoleExecutionRef;
  readonly invocationRef: InvocationRef;
  readonly executionLabel: ExecutionLabel;
  readonly dutyId: DutyId;
}

/**
 * One attempt: the only document of a run that changes, and only once, from `launching` to a terminal status. Paths are absolute.
 * It holds all that a retry needs, and all that settling it in another process does (RT-3). What is null until the attempt is settled: `finishedAt`, `reportedSessionId`, `process`, and everything from `lifecycle` to `evidence`.
 */
export interface DispatchRecord extends RecordIdentityV2 {
  readonly schemaVersion: '2.0';
  readonly runId: RunId;
  readonly dispatchId: DispatchId;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly kind: DispatchKind;
  readonly role: Role;
  readonly backend: BackendKind;
  readonly wantedBackend: BackendKind;
  /** What was wanted, where another backend took its place (CX-3). */
  readonly degradedFrom: BackendKind | null;
  readonly degradedReason: string | null;
  readonly provider: string;
  readonly modelRef: string;
  /** What the agent CLI gets as its model. */
  readonly modelExecutionValue: string;
  readonly hostModelValue: string | null;
  readonly modelSpecDigest: Digest;
  readonly status: DispatchStatus;
  /** What happened and where to look (ST-2); empty before the end, and after a plain completion. */
  readonly reason: string;
  readonly paneId: string | null;
  /** The session that the attempt was given, kept through its settlement (RT-3, RT-6); empty where its agent CLI takes none (RT-2). */
  readonly sessionId: SessionId | '';
  /** The session that the agent named itself (RT-6). */
  readonly reportedSessionId: string | null;
  readonly promptPath: string;
  readonly promptMetadataPath: string;
  readonly resultPath: string;
  readonly workerResultPath: string;
  /** All of these must be there for a completion (ST-1). */
  readonly completionPaths: readonly string[];
  readonly dropBoxPath: string;
  readonly statusSidecarPath: string;
  readonly logPath: string;
  readonly livenessMode: 'supervisor-lock';
  readonly dispatchedAt: string;
  readonly finishedAt: string | null;
  readonly batchId: BatchId;
  /** Where the worker starts (WP-9). */
  readonly worktree: string;
  readonly inputDigest: Digest;
  /** The source as it was at the start: what a verifier's verdict is bound to (ST-8). */
  readonly sourceDigest: Digest | null;
  readonly limits: Limits;
  readonly invocationId: InvocationId;
  readonly audience: Audience;
  readonly assignmentRef: string;
  readonly enforcementMode: 'core-pre-dispatch';
  readonly writePolicyDigest: Digest;
  readonly writeEnforcement: WriteEnforcement;
  /** The batch's baseline (MA-1); null where the attempt is audited by call. */
  readonly mutationAuditSnapshotPath: string | null;
  readonly process: ProcessIdentity | null;
  readonly lifecycle: Lifecycle | null;
  readonly contract: ContractOutcome | null;
  readonly result: ResultOutcome | null;
  readonly retry: RetryDecision | null;
  readonly servedModel: ServedModel | null;
  readonly usage: Usage | null;
  readonly endProof: EndProof | null;
  /** Who asked for the stop; null where nobody did. */
  readonly stoppedBy: string | null;
  readonly evidence: EvidenceOutcome | null;
  /** The invocations of all jobs of the batch, own included: their contracts judge its changes together (MA-9). */
  readonly batchInvocations: readonly InvocationRef[];
  /** Files of the orchestrator as their owner left them; a difference at settlement is tampering (MA-1). */
  readonly orchestratorDigests: readonly { readonly path: string; readonly digest: Digest }[];
  /** Sizes of the two logs when the attempt was claimed: no row about it lies before. */
  readonly eventLogOffset: number;
  readonly errorLogOffset: number;
}
