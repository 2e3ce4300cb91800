import type { DispatchId } from '@bailiwick/execution-identity';
import type { EndProof, Stage } from '../stages.ts';
import type { EndEvidence, ProcessIdentity, ServedModel, Usage } from './facts.ts';

/** What the supervisor knows of one attempt; its terminal form is the evidence that settlement works from. */
export interface StatusSidecar {
  readonly schemaVersion: '1.0';
  readonly dispatchId: DispatchId;
  readonly stage: Stage;
  /** Why the stage was reached, where a person would ask. */
  readonly reason: string;
  /** Null before there is a process. */
  readonly process: ProcessIdentity | null;
  readonly supervisorVersion: string;
  /** Where the supervisor listens; null where readers have to poll. */
  readonly socketPath: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly lastOutputAt: string | null;
  readonly exitCode: number | null;
  /** `SIGKILL` and the like; null where the process ended by itself, or hasn't ended. */
  readonly signal: string | null;
  readonly endEvidence: EndEvidence;
  /** True where the provider calls the failure one that may pass by itself. */
  readonly transientFailure: boolean;
  readonly endProof: EndProof;
  /** Processes of the attempt that outlived its leader and had to be ended. */
  readonly leftProcesses: number;
  /** The session that the agent named; null where it named none. */
  readonly reportedSessionId: string | null;
  readonly servedModel: ServedModel;
  readonly usage: Usage;
  readonly lastLine: string | null;
  readonly logBytes: number;
}
