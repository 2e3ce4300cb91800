import type {
  AttestationLevel,
  AttestationSource,
  ServedModelDeviation,
  SourceDisagreement,
} from '@bailiwick/assignment-resolution';

/** A fact that was looked for and could not be had; never written as 0 or as a guess. */
export type Unknown = 'unknown';

/** Bounds on one attempt, in milliseconds of the monotonic clock. */
export interface Limits {
  /** From the start of the process. */
  readonly hardMs: number;
  /** Since the last output. */
  readonly idleMs: number;
  /** From the polite signal to the one that can't be ignored. */
  readonly graceMs: number;
}

/** `{hostId, bootId, pidNamespace, pid, startTicks}`: the same pid at another time or place is another process. */
export interface ProcessIdentity {
  readonly hostId: string;
  readonly bootId: string;
  /** Empty where the system has no such namespaces. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** The process's start as its system counts it; text, since it may exceed what a double holds. */
  readonly startTicks: string;
}

/** What an attempt used, as wire or stream reported it. */
export interface Usage {
  readonly inputTokens: number | Unknown;
  readonly outputTokens: number | Unknown;
  /** The part of `inputTokens` that came from a cache. */
  readonly cachedInputTokens: number | Unknown;
  /** US dollars. */
  readonly costUsd: number | Unknown;
}

/** Which model served an attempt, over all its turns (AR-7, AR-10). */
export interface ServedModel {
  readonly level: AttestationLevel;
  /** Null where nothing was seen, or what was seen maps to no entry of the pool. */
  readonly normalizedModelRef: string | null;
  /** The names that counted, as they were printed, each once. */
  readonly reported: readonly string[];
  readonly source: AttestationSource;
  /** How many turns were looked at. */
  readonly turns: number;
  /** The first turn that something else served than was selected; absent where none did. */
  readonly deviation?: ServedModelDeviation;
  /** The turns whose sources disagreed, the stronger of which counted; absent where none did. */
  readonly disagreements?: readonly SourceDisagreement[];
}

/** What a provider's stream said of the end: its final event for, a failure against, or nothing. */
export type EndEvidence = 'positive' | 'negative' | 'absent';
