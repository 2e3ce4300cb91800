import type { Digest } from '@bailiwick/durable-files';
import type { Role } from '@bailiwick/execution-identity';

declare const modelRefBrand: unique symbol;

/** `<provider>/<model>[@<version>]`, made only by {@link parseModelRef}. */
export type ModelRef = string & { readonly [modelRefBrand]: 'ModelRef' };

/** How finely a worker's writes can be confined: none < worktree < directory < file. */
export const BoundaryPrecision = {
  none: 'none',
  worktree: 'worktree',
  directory: 'directory',
  file: 'file',
} as const;
/** One of the precisions. */
export type BoundaryPrecision = (typeof BoundaryPrecision)[keyof typeof BoundaryPrecision];

/** Who starts the agent: a wrapper of ours around its CLI, or the host itself. Only the first is dispatched (AR-5). */
export const Runner = { cliWrapper: 'cli-wrapper', hostNative: 'host-native' } as const;
/** One of the runners. */
export type Runner = (typeof Runner)[keyof typeof Runner];

/** `pinned`: one snapshot of weights for ever. `channel`: a name that its vendor moves on. */
export const VersionKind = { pinned: 'pinned', channel: 'channel' } as const;
/** One of the two. */
export type VersionKind = (typeof VersionKind)[keyof typeof VersionKind];

/** What a runner can hold a worker to, before any operating-system boundary of ours. */
export interface WorkerWriteCapability {
  /** The finest that the runner's own means hold. */
  readonly maxBoundaryPrecision: BoundaryPrecision;
}

/** How one model runs on one host. */
export interface Binding {
  /** The lead runtime that this binding is for, e.g. `claude-code` or `terminal`. */
  readonly hostId: string;
  /** Only `cli-wrapper` is dispatched (AR-5). */
  readonly runner: Runner;
  /** What the agent CLI gets as its model. */
  readonly resolvedExecutionValue: string;
  /** What the host itself calls the model, `null` where it has no name for it. */
  readonly hostModelValue: string | null;
  /** `null`: no worker may run through this binding. */
  readonly workerWriteCapability: WorkerWriteCapability | null;
}

/** One model of one agent CLI. */
export interface ModelPoolEntry {
  /** Its provider part is `providerId`. */
  readonly modelRef: ModelRef;
  /** The agent CLI, e.g. `claude`. */
  readonly providerId: string;
  /** The model as its vendor's API names it. */
  readonly modelId: string;
  /** Whether the name stands for one snapshot. */
  readonly versionKind: VersionKind;
  /** Which channel serves this model; an entry of either kind may carry one (AR-8). */
  readonly channelFamily?: string;
  /** Further names for this entry, in requests and in what the agent reports. */
  readonly aliases: readonly string[];
  /** Absent: any role. */
  readonly roles?: readonly Role[];
  /** Empty: known as a served name, but selectable nowhere. */
  readonly bindings: readonly Binding[];
}

/** The session that leads a run: where a team is started from. */
export interface HostDescriptor {
  /** The lead runtime, such as `claude-code`; `terminal` for a person's shell. */
  readonly hostId: string;
  /** Whether panes can be had there. */
  readonly terminalBackend: TerminalBackend;
}

/** What runs panes where the team is started from; `none`: nothing does. */
export const TerminalBackend = { cmux: 'cmux', none: 'none' } as const;
/** One of the two. */
export type TerminalBackend = (typeof TerminalBackend)[keyof typeof TerminalBackend];

/** What was found on this machine of one agent CLI. */
export interface ProviderInstallation {
  /** The agent CLI, such as `claude`. */
  readonly providerId: string;
  /** Its program was found. */
  readonly installed: boolean;
  /** That program is one that can be dispatched. */
  readonly supported: boolean;
  /** Why it isn't installed or supported, and what would fix it. */
  readonly reason?: string;
}

/** What resolving depends on besides the pool. Only the selected provider's row is read (AR-4). */
export interface AssignmentEnvironment {
  /** Where the team is led from. */
  readonly host: HostDescriptor;
  /** By provider id; of an agent that a user declared also by its ref. What isn't there isn't installed. */
  readonly providers: ReadonlyMap<string, ProviderInstallation>;
}

/** A role instance bound to a model on a host (AR-1). */
export interface Assignment {
  /** What it is bound for. */
  readonly role: Role;
  /** From 1 within the role. */
  readonly ordinal: number;
  /** Of the pool's entry, also where an alias was asked for. */
  readonly modelRef: ModelRef;
  /** The agent CLI, such as `claude`. */
  readonly providerId: string;
  /** The model as its vendor's API names it. */
  readonly modelId: string;
  /** The one that was chosen for the host. */
  readonly binding: Binding;
  /** `sha256:<hex>` over the entry and that binding (ID-9). */
  readonly modelSpecDigest: Digest;
}

/** A row of the run manifest's `roleExecutions`, as far as this package reads it. */
export interface RoleExecutionBinding {
  /** One row has it. */
  readonly roleExecutionRef: string;
  /** Compared with the job's (AR-3). */
  readonly participantRef: string;
  /** Compared with the job's (AR-3). */
  readonly executionLabel: string;
  /** What the model is asked for again. */
  readonly role: Role;
  /** From 1 within the role. */
  readonly ordinal: number;
  /** The agent CLI that was bound. */
  readonly provider: string;
  /** Absent, null or empty: unbound (AR-5), as are the three below. */
  readonly modelRef?: string | null | undefined;
  /** As it was bound. */
  readonly modelId?: string | null | undefined;
  /** As it was bound (ID-9). */
  readonly modelSpecDigest?: string | null | undefined;
  /** As it was bound. */
  readonly binding?: Binding | null | undefined;
}

/** What a job says of the role execution that it runs for. */
export interface JobRoleExecution {
  /** The row of the manifest that it names. */
  readonly roleExecutionRef: string;
  /** As its metadata say. */
  readonly participantRef: string;
  /** As its metadata say. */
  readonly executionLabel: string;
}

declare const revalidatedBrand: unique symbol;

/** Proof that a stored binding still stands; made only by revalidation (AR-6). */
export interface RevalidatedBinding extends Assignment, JobRoleExecution {
  /** Nobody else can make one. */
  readonly [revalidatedBrand]: true;
}

/** Where a served model's name was seen, strongest first (AR-10). */
export const AttestationSource = { wire: 'wire', stream: 'stream', transcript: 'transcript', none: 'none' } as const;
/** One of the sources. */
export type AttestationSource = (typeof AttestationSource)[keyof typeof AttestationSource];

/** What the names that were seen prove: one snapshot, a channel, nothing, or another model than any of the pool (AR-7). */
export const AttestationLevel = {
  exact: 'exact',
  channel: 'channel',
  unknown: 'unknown',
  unrecognised: 'unrecognised',
} as const;
/** One of the levels. */
export type AttestationLevel = (typeof AttestationLevel)[keyof typeof AttestationLevel];

/** One source's word on one turn; `null` = it was looked at and named no model. */
export interface ServedModelObservation {
  /** As it was printed. */
  readonly raw: string | null;
  /** Where it was seen. */
  readonly source: AttestationSource;
}

/** Two sources named different models for one turn; the stronger counted (AR-10). */
export interface SourceDisagreement {
  /** 1 for the first turn. */
  readonly turn: number;
  /** The stronger source's word. */
  readonly counted: ServedModelObservation;
  /** Those that named another model. */
  readonly overruled: readonly ServedModelObservation[];
}

/** The first turn that was served by something else than was selected, or than the turns before it. */
export interface ServedModelDeviation {
  /** 1 for the first turn. */
  readonly turn: number;
  /** The name that deviates, as it was printed. */
  readonly raw: string;
  /** Where it was seen. */
  readonly source: AttestationSource;
  /** For a person, one line. */
  readonly reason: string;
}

/** Which model served an attempt, over all its turns (AR-7, AR-10). */
export interface ServedModelAttestation {
  /** The weakest of all turns, or of the first that deviates. */
  readonly level: AttestationLevel;
  /** Absent where nothing was seen, or what was seen maps to no entry. */
  readonly normalizedModelRef?: string;
  /** The names that counted, as they were printed, each once, in order of appearance. */
  readonly reported: readonly string[];
  /** The weakest of all turns. */
  readonly source: AttestationSource;
  /** How many were looked at. */
  readonly turns: number;
  /** Absent where none deviates. */
  readonly deviation?: ServedModelDeviation;
  /** Absent where all sources agree. */
  readonly disagreements?: readonly SourceDisagreement[];
}

/** What a verdict needs of an attestation; records and sidecars have `null` where there is no ref. */
export interface StoredAttestation {
  /** As it was attested; judged anew. */
  readonly level: AttestationLevel;
  /** As it was attested; judged anew. */
  readonly normalizedModelRef?: string | null | undefined;
  /** Every name that counted, as it was printed. */
  readonly reported: readonly string[];
  /** The weakest of its turns. */
  readonly source: AttestationSource;
}

/** `unobserved` passes: what can't be seen isn't wrong (AR-7). */
export type ServedModelVerdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'unobserved' }
  | { readonly kind: 'mismatch'; readonly reason: string };
