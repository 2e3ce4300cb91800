import type { BackendKind, RoleExecution } from '@bailiwick/dispatch-state';
import type { Digest } from '@bailiwick/durable-files';
import type { DispatchId, InvocationRef, PromptMetadataV2, WorkerId } from '@bailiwick/execution-identity';
import type { JobShape } from './shape-rules.ts';

/** One worker's work in a batch, as planned: nothing is written for it yet. */
export interface WorkerJob {
  readonly workerId: WorkerId;
  readonly dispatchId: DispatchId;
  readonly metadata: PromptMetadataV2;
  readonly roleExecution: RoleExecution;
  readonly promptPath: string;
  readonly metadataPath: string;
  readonly promptDigest: Digest;
  readonly promptBytes: number;
  readonly resultPath: string;
  readonly workerResultPath: string;
  readonly completionPaths: readonly string[];
  readonly dropBoxPath: string;
  readonly backend: BackendKind;
  readonly recoveryOf: InvocationRef | null;
}

/** The jobs of one command. */
export interface DispatchPlan {
  readonly jobs: readonly WorkerJob[];
  readonly skipped: readonly { readonly workerId: WorkerId; readonly reason: string }[];
}

/** All of a job that decides what it may be dispatched with. */
export function shapeOf(job: WorkerJob): JobShape {
  return { workerId: job.workerId, audience: job.metadata.audience, backend: job.backend };
}
