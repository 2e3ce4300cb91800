import type { AttestationSource } from '@bailiwick/assignment-resolution';
import type { BatchId, DispatchId } from '@bailiwick/execution-identity';
import type { Limits } from './facts.ts';

/** What the supervisor checks each turn's served model against. Opaque rows: assignment-resolution reads them. */
export interface ServedModelExpectation {
  readonly selectedModelRef: string;
  readonly poolEntries: readonly unknown[];
  /** What the run demands of the attestation's source (AR-10); null: nothing. */
  readonly minimumSource: AttestationSource | null;
}

/** All that a supervisor needs to run one attempt. Secrets are in `env` and reach it through a pipe alone. */
export interface SupervisedJob {
  readonly dispatchId: DispatchId;
  readonly recordPath: string;
  readonly sidecarPath: string;
  readonly logPath: string;
  readonly provider: string;
  /** Whether the provider's stream says how it ended, or its exit code has to (ST-7). */
  readonly endEvidence: 'stream' | 'exit-code';
  /** Program first. */
  readonly argv: readonly string[];
  /** The whole environment of the agent; nothing is inherited besides. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin:
    | { readonly kind: 'prompt-file' }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'none' };
  readonly promptPath: string;
  readonly dropBoxPath: string;
  /** Empty where the agent CLI takes none. */
  readonly sessionId: string;
  readonly limits: Limits;
  readonly servedModel: ServedModelExpectation;
  /** Where a stop of this worker would lie; looked at before the start and while the worker runs. */
  readonly stopIntentPath: string;
}

/** What a command hands to the supervisor of one batch, as one JSON document on its standard input. */
export interface SupervisionOrder {
  readonly schemaVersion: '1.0';
  readonly runDirectory: string;
  readonly batchId: BatchId;
  readonly liveLockPath: string;
  /** Where the supervisor is to listen; null where its listeners poll. */
  readonly socketPath: string | null;
  /** How many workers may run at once. */
  readonly maxConcurrent: number;
  /** Size at which a log is rotated. */
  readonly maxLogBytes: number;
  readonly jobs: readonly SupervisedJob[];
}
