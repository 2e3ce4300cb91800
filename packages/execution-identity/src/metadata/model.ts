import type { Digest } from '@bailiwick/durable-files';
import type { DispatchKind } from '../dispatch-kind.ts';
import type { ExecutionIdentity } from '../identity/model.ts';
import type { InvocationId, WorkerId } from '../ids/ids.ts';
import type { Audience } from '../roles.ts';

/** The model that a prompt was assigned, as far as its metadata says. */
export interface PromptAssignment {
  /** What the host calls the model; `null` where the host has no name for it. */
  readonly hostModelValue: string | null;
  readonly modelRef?: string;
  readonly provider?: string;
  readonly runner?: string;
  readonly modelExecutionValue?: string;
}

/** What both generations of metadata say (ID-1). */
export interface PromptMetadataCommon {
  readonly invocationId: InvocationId;
  readonly audience: Audience;
  /** The key of the run manifest's `invocationAssignments`. */
  readonly assignmentRef: string;
  readonly assignment: PromptAssignment;
  readonly dispatchKind: DispatchKind;
  /** Over the bytes of the prompt. */
  readonly inputDigest: Digest;
}

/** Metadata of the first generation: a worker is known by its id alone, which the job names where this doesn't. */
export interface PromptMetadataV1 extends PromptMetadataCommon {
  readonly generation: 'v1';
  readonly schemaVersion: 1;
  readonly workerId?: WorkerId;
}

/** Metadata of the second generation: it names the whole identity (ID-2). */
export interface PromptMetadataV2 extends PromptMetadataCommon, ExecutionIdentity {
  readonly generation: 'v2';
  readonly schemaVersion: '2.0';
  readonly executionIdentityVersion: 2;
}

/** What lies beside a prompt as `<prompt>.meta.json`. */
export type PromptMetadata = PromptMetadataV1 | PromptMetadataV2;
