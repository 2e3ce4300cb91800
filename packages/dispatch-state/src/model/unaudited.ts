import type { Digest } from '@bailiwick/durable-files';
import type {
  Audience,
  BatchId,
  DispatchId,
  DispatchKind,
  InvocationId,
  Role,
  RunId,
  SessionId,
  WorkerId,
} from '@bailiwick/execution-identity';
import type { BackendKind, DispatchStatus, EndProof } from '../stages.ts';
import type { Limits, ProcessIdentity, ServedModel, Usage } from './facts.ts';
import type { Lifecycle, ResultOutcome } from './outcome.ts';

/**
 * One attempt of a v1 job (ID-1): a worker id and none of the refs (ID-6), no write contract, no baseline, no audit and no seal. It is tried
 * once: only an audit could allow another try (RT-1). Paths are absolute. What is null until it is settled: `finishedAt`,
 * `reportedSessionId`, and everything from `process` on.
 */
export interface UnauditedRecord {
  readonly schemaVersion: '1.0';
  readonly runId: RunId;
  readonly dispatchId: DispatchId;
  readonly workerId: WorkerId;
  readonly attempt: number;
  readonly invocationId: InvocationId;
  readonly kind: DispatchKind;
  readonly role: Role;
  readonly audience: Audience;
  readonly assignmentRef: string;
  readonly backend: BackendKind;
  readonly provider: string;
  readonly modelRef: string;
  readonly modelExecutionValue: string;
  readonly hostModelValue: string | null;
  readonly status: DispatchStatus;
  readonly reason: string;
  readonly sessionId: SessionId | '';
  readonly reportedSessionId: string | null;
  readonly promptPath: string;
  readonly promptMetadataPath: string;
  readonly resultPath: string;
  readonly workerResultPath: string;
  readonly completionPaths: readonly string[];
  readonly dropBoxPath: string;
  readonly statusSidecarPath: string;
  readonly logPath: string;
  readonly dispatchedAt: string;
  readonly finishedAt: string | null;
  readonly batchId: BatchId;
  readonly worktree: string;
  readonly inputDigest: Digest;
  readonly limits: Limits;
  readonly enforcementMode: 'unaudited';
  /** Said from the claim on, so that nobody takes a missing audit for a clean one. */
  readonly contract: { readonly audited: false; readonly audit: null };
  readonly process: ProcessIdentity | null;
  readonly lifecycle: Lifecycle | null;
  readonly result: ResultOutcome | null;
  readonly servedModel: ServedModel | null;
  readonly usage: Usage | null;
  readonly endProof: EndProof | null;
  readonly stoppedBy: string | null;
  /** Sizes of the two logs when the attempt was claimed: no row about it lies before. */
  readonly eventLogOffset: number;
  readonly errorLogOffset: number;
}

/** An event of a v1 job in `lead-events.jsonl`: `workerId` and `attempt` and none of the refs (ID-6). */
export interface UnauditedEvent {
  readonly at: string;
  readonly runId: RunId;
  readonly type: 'worker-dispatched' | 'worker-result-collected' | 'worker-failed';
  readonly details: {
    readonly dispatchId: DispatchId;
    readonly workerId: WorkerId;
    readonly attempt: number;
    readonly dispatchMode: BackendKind;
    readonly promptPath: string;
    readonly resultPath: string;
    readonly workerResultPath: string;
    /** There is none; an event of a v2 job has its summary here. */
    readonly mutationAudit: null;
    readonly exitCode: number | null;
    readonly reason: string;
    readonly missingCompletionPaths: readonly string[];
    readonly stoppedBy: string | null;
  };
}

/** A failure of a v1 job in `error-log.jsonl` (ID-6, EV-2). */
export interface UnauditedErrorRow {
  readonly at: string;
  readonly runId: RunId;
  readonly dispatchId: DispatchId;
  readonly workerId: WorkerId;
  readonly attempt: number;
  readonly message: string;
  readonly logPath: string;
  readonly logTail: string;
}
