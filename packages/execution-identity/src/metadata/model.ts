import type { Digest } from '@bailiwick/durable-files';
import type { DispatchKind } from '../dispatch-kind.ts';
import type { ExecutionIdentity } from '../identity/model.ts';
import type { InvocationId, WorkerId } from '../ids/ids.ts';
import type { Audience } from '../roles.ts';

/** The model that a prompt was assigned, as far as its metadata says. */
export interface PromptAssignment {
  /** What the host calls the model; `null` where the host has no name for it. */
  readonly hostModelValue: string | null;
  /** `<provider>/<model>[@<version>]`. */
  readonly modelRef?: string;
  /** The agent CLI, such as `claude`. */
  readonly provider?: string;
  /** Who starts the agent: `cli-wrapper` or `host-native`. */
  readonly runner?: string;
  /** What the agent CLI gets as its model. */
  readonly modelExecutionValue?: string;
}

/** What both generations of metadata say (ID-1). */
export interface PromptMetadataCommon {
  /** New in each attempt; the dispatch id is made of it. */
  readonly invocationId: InvocationId;
  /** Whom the prompt is written for; goes with exactly one role (ID-10). */
  readonly audience: Audience;
  /** The key of the run manifest's `invocationAssignments`. */
  readonly assignmentRef: string;
  /** The model that the prompt was written for. */
  readonly assignment: PromptAssignment;
  /** `initial`, `report`, `translator` or `reverify-r<N>`. */
  readonly dispatchKind: DispatchKind;
  /** Over the bytes of the prompt. */
  readonly inputDigest: Digest;
}

/** Metadata of the first generation: a worker is known by its id alone, which the job names where this doesn't. */
export interface PromptMetadataV1 extends PromptMetadataCommon {
  /** Told by the versions; not in the file. */
  readonly generation: 'v1';
  /** A number, as the first generation wrote it. */
  readonly schemaVersion: 1;
  /** Absent: the job names it. */
  readonly workerId?: WorkerId;
}

/** Metadata of the second generation: it names the whole identity (ID-2). */
export interface PromptMetadataV2 extends PromptMetadataCommon, ExecutionIdentity {
  /** Told by the versions; not in the file. */
  readonly generation: 'v2';
  /** Text, as every document of ours has it. */
  readonly schemaVersion: '2.0';
  /** Goes with that `schemaVersion` and with no other. */
  readonly executionIdentityVersion: 2;
}

/** What lies beside a prompt as `<prompt>.meta.json`. */
export type PromptMetadata = PromptMetadataV1 | PromptMetadataV2;
