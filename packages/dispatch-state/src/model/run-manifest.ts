import type { BoundaryPrecision } from '@bailiwick/assignment-resolution';
import type { Digest } from '@bailiwick/durable-files';
import type {
  ExecutionLabel,
  ParticipantRef,
  Role,
  RoleExecutionRef,
  RunId,
  TaskKey,
  WorkerId,
} from '@bailiwick/execution-identity';
import type { Isolation } from '../stages.ts';
import type { Limits } from './facts.ts';

/** Who takes part in a run, under which worker id, through which agent CLI. */
export interface Participant {
  readonly participantRef: ParticipantRef;
  readonly workerId: WorkerId;
  readonly provider: string;
}

/** How the model of a role execution runs on the run's host, as it was resolved when the run was made. */
export interface StoredBinding {
  readonly hostId: string;
  readonly runner: 'cli-wrapper' | 'host-native';
  /** What the agent CLI gets as its model. */
  readonly resolvedExecutionValue: string;
  readonly hostModelValue: string | null;
  /** Null: no worker may run through this binding. */
  readonly workerWriteCapability: { readonly maxBoundaryPrecision: BoundaryPrecision } | null;
}

/** A role with its ordinal and the model bound to it; unbound where the model fields are null (AR-5). */
export interface RoleExecution {
  readonly roleExecutionRef: RoleExecutionRef;
  readonly participantRef: ParticipantRef;
  readonly executionLabel: ExecutionLabel;
  readonly role: Role;
  /** From 1 within the role. */
  readonly ordinal: number;
  readonly provider: string;
  readonly modelRef: string | null;
  readonly modelId: string | null;
  /** Over the model's specification and its binding together (ID-9). */
  readonly modelSpecDigest: Digest | null;
  readonly binding: StoredBinding | null;
}

/** What an assignment ref of prompt metadata stands for. */
export interface InvocationAssignment {
  readonly provider: string;
  readonly runner: string;
  readonly modelExecutionValue: string;
  readonly hostModelValue: string | null;
}

/** Who may do what with which model, for one run. Written once, never changed (ST-6). */
export interface RunManifest {
  readonly schemaVersion: '2.0';
  readonly executionIdentityVersion: 2;
  readonly runId: RunId;
  readonly taskKey: TaskKey;
  readonly createdAt: string;
  /** The id of the host that leads the run. */
  readonly leadRuntime: string;
  readonly terminalBackend: 'cmux' | 'none';
  /** Absolute. */
  readonly runDirectoryPath: string;
  /** Absolute; the file may be missing. */
  readonly activeRunContextPath: string;
  /** The roster of a command that names no workers (PL-1). */
  readonly recommendedWorkers: readonly WorkerId[];
  readonly participants: readonly Participant[];
  readonly roleExecutions: readonly RoleExecution[];
  /** By assignment ref. */
  readonly invocationAssignments: Readonly<Record<string, InvocationAssignment>>;
  readonly agentContract: { readonly invocationReservationRootPath: string };
  /** Source paths or globs that the implementer is to change; none: its whole worktree (WP-3). */
  readonly plan: { readonly paths: readonly string[] };
  /** Absolute path of the project whose tree the workers change. */
  readonly projectRoot: string;
  readonly isolation: Isolation;
  /** The run's own worktree; null where the workers share the project's tree. */
  readonly worktree: string | null;
  /** The commit that the run started from; null in a repository without commits or without git. */
  readonly baseCommit: string | null;
  /** The branch of the run's own worktree; null where it has none. */
  readonly branch: string | null;
  /** The run's own copy of its task. */
  readonly taskPath: string;
  readonly taskDigest: Digest;
  readonly limits: Limits;
  readonly ignored: 'free' | 'listed' | 'none';
  readonly scratch: readonly string[];
  readonly git: 'none' | 'commit';
}
