import type { AttestationSource } from '@bailiwick/assignment-resolution';
import type { BatchId, DispatchId } from '@bailiwick/execution-identity';
import type { Limits } from './facts.ts';

/** What the supervisor checks each turn's served model against. Opaque rows: assignment-resolution reads them. */
export interface ServedModelExpectation {
  readonly selectedModelRef: string;
  /** After those that the order's jobs have in common. */
  readonly poolEntries: readonly unknown[];
  /** What the run demands of the attestation's source (AR-10); null: nothing. */
  readonly minimumSource: AttestationSource | null;
}

/** What an agent's HOME holds that it needs of the user's own. */
export interface PrivateHomeOrder {
  /** The user's HOME. */
  readonly userHome: string;
  /** Files with the agent's login: where each lies, and where below HOME the agent looks for it. Bound, never copied. */
  readonly logins: readonly { readonly source: string; readonly below: string }[];
}

/**
 * How a throw-away layer comes to lie over a work tree: by bubblewrap itself (0.11 and newer), by `mount` in a user
 * namespace around bubblewrap, or as a copy that was made before.
 */
export type LayerMeans =
  | { readonly kind: 'bubblewrap' }
  | { readonly kind: 'mount'; readonly unshare: string; readonly mount: string }
  | { readonly kind: 'copy' };

/** A layer over the work tree that takes all that is written there, and is thrown away with it. */
export interface LayerOrder {
  readonly worktree: string;
  /** The attempt's own folder for the layer, which it can't write itself. It outlives the attempt, until that is settled. */
  readonly folder: string;
  readonly means: LayerMeans;
}

/**
 * The operating-system boundary that an attempt is to run in, compiled. It is put in force before the agent's first
 * instruction, or the attempt isn't started (WP-5).
 */
export interface BoundaryOrder {
  /** bubblewrap's program, absolute. */
  readonly program: string;
  /** Folders that may be written, with all below them but what `readOnly` names; they exist. */
  readonly writable: readonly string[];
  /** Of two paths around a place the longer one counts. What is missing is left out. */
  readonly readOnly: readonly string[];
  /** Folders that look empty from inside, such as the one with the supervisors' sockets. */
  readonly hidden: readonly string[];
  /** The attempt's own folder for HOME and temporary files: made before it starts, taken away after its end. */
  readonly privateFolder: string;
  /** Null: HOME is the user's, and writable. */
  readonly privateHome: PrivateHomeOrder | null;
  /** Absent: the work tree is what it is. */
  readonly layer?: LayerOrder;
}

/** A HOME of the agent's own, with files that it is to find there. */
export interface OwnHomeOrder {
  /** Made before the start, taken away after the end. Where there is a boundary, its private folder is used instead. */
  readonly folder: string;
  /** The user's HOME, where tool chains are looked for. */
  readonly userHome: string;
  readonly files: readonly { readonly below: string; readonly text: string }[];
}

/** Which models the agent may ask for; each part may be absent. */
export interface ModelRuleOrder {
  /** No other one than these. */
  readonly only?: readonly string[];
  /** None of these. */
  readonly never?: readonly string[];
}

/** A model server that the agent is to reach through the supervisor's gateway only. */
export interface GatewayOrder {
  readonly format: 'openai-responses' | 'openai-chat' | 'anthropic-messages' | 'google-generate-content';
  readonly upstream: string;
  /** The real key, which the agent never gets; null where the server wants none. */
  readonly key: string | null;
  /** Which models may be asked for, by the names that stand in requests; absent: any. */
  readonly models?: ModelRuleOrder;
  /** Stands for the gateway's address in the agent's arguments, environment and files, until that is known. */
  readonly placeholder: string;
}

/**
 * What the run may cost. A job that waits for a place isn't started once `spentUsd` and what the ended attempts of `sidecarPaths` say
 * they cost come to `maxUsd`; what an attempt doesn't say counts for nothing.
 */
export interface CostLimitOrder {
  readonly maxUsd: number;
  /** What was spent before this batch, as far as it is known. */
  readonly spentUsd: number;
  /** The sidecars of the batch's attempts, also of those that another supervisor runs. */
  readonly sidecarPaths: readonly string[];
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
  /** Absent: nothing but the audit, or the agent's own sandbox, holds it. */
  readonly boundary?: BoundaryOrder;
  /** Absent: HOME is what the environment says, or the boundary. */
  readonly ownHome?: OwnHomeOrder;
  /** Absent: the agent talks to its model server itself. */
  readonly gateway?: GatewayOrder;
}

/** How many workers of one provider may run at once. */
export interface ProviderLimit {
  readonly provider: string;
  readonly maxConcurrent: number;
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
  /** Providers of which fewer may run at once; absent, or not named: as many as there are places. */
  readonly providerLimits?: readonly ProviderLimit[];
  /** Absent: what the run has cost holds nothing up. */
  readonly costLimit?: CostLimitOrder;
  /** Size at which a log is rotated. */
  readonly maxLogBytes: number;
  /** Rows of the model pool that its jobs have in common: a provider has dozens, and a batch may have a thousand jobs. */
  readonly poolEntries?: readonly unknown[];
  readonly jobs: readonly SupervisedJob[];
}
