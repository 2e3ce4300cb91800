import type { Digest } from '@bailiwick/durable-files';

/** The `_type` of an in-toto Statement, version 1 (in-toto attestation framework, spec v1, seen 2026-11-29). */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** What our predicate means. A later version gets a name of its own. */
export const PREDICATE_TYPE = 'https://bailiwick.dev/attempt/v1';
/** The DSSE payload type of in-toto statements. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A path: text where it is UTF-8, else its bytes in base64. */
export type SealedPath = string | { readonly pathBytes: string };

/** Who did it, as the attempt's record says. */
export interface SealedIdentity {
  readonly runId: string;
  readonly dispatchId: string;
  readonly invocationId: string;
  readonly participantRef: string;
  readonly roleExecutionRef: string;
  readonly invocationRef: string;
  readonly executionLabel: string;
  readonly dutyId: string;
  readonly attempt: number;
  readonly role: string;
}

/** What was really in force while the worker ran. */
export interface SealedEnforcement {
  readonly boundaryPrecision: string;
  readonly mutationAudit: string;
  readonly boundary: string;
  readonly wider: readonly string[];
  readonly keyIsolation: string;
  readonly scope: string;
}

/** Which model served it; names as they were printed. */
export interface SealedServedModel {
  readonly level: string;
  readonly normalizedModelRef: string | null;
  readonly reported: readonly string[];
  readonly source: string;
  readonly turns: number;
  /** True where a turn was served by something else than was selected. */
  readonly deviates: boolean;
}

/** How its process ended. */
export interface SealedLifecycle {
  readonly end: string;
  readonly endProof: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endEvidence: string;
}

/** One path that differed from the baseline. */
export interface SealedChange {
  readonly path: SealedPath;
  readonly kind: string;
  readonly attribution: string;
  readonly candidates: readonly string[];
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
}

/** What the audit said. */
export interface SealedAudit {
  readonly verdict: string;
  readonly attribution: string;
  readonly scope: string;
  readonly sourceChanged: boolean;
  readonly gitChanged: boolean;
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
  readonly changedPaths: readonly SealedChange[];
  readonly violations: readonly { readonly code: string; readonly path?: SealedPath; readonly message: string }[];
}

/** What the worker handed in. */
export interface SealedResult {
  readonly isTaken: boolean;
  readonly verdict: string | null;
  readonly missing: readonly string[];
}

/** Everything that a seal says of one attempt, all of it from the attempt's record (EV-3). */
export interface AttemptFacts {
  readonly identity: SealedIdentity;
  readonly status: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly model: {
    readonly provider: string;
    readonly modelRef: string;
    readonly modelSpecDigest: Digest;
    readonly executionValue: string;
  };
  /** Null where there was no process whose model could be seen. */
  readonly servedModel: SealedServedModel | null;
  /** The session it was given (`''`: none) and the one that the agent named: what a verifier's independence rests on (ST-8). */
  readonly session: { readonly given: string; readonly reported: string | null };
  readonly policyDigest: Digest;
  readonly enforcement: SealedEnforcement;
  readonly promptDigest: Digest;
  /** The source at the start: what a verifier's verdict is bound to (ST-8). */
  readonly sourceDigest: Digest | null;
  readonly lifecycle: SealedLifecycle | null;
  /** Null where nothing was compared. */
  readonly audit: SealedAudit | null;
  readonly result: SealedResult | null;
}

/** A file by its name relative to the run's folder, `/` between parts. */
export interface NamedDigest {
  readonly name: string;
  readonly digest: Digest;
}

/** As NamedDigest; null says that nothing was there when the seal was made. */
export interface NamedFile {
  readonly name: string;
  readonly digest: Digest | null;
}

/** What is to be sealed. */
export interface StatementInput {
  /** What the statement is about: the attempt's artifacts and its record. At least one, no name twice. */
  readonly subjects: readonly NamedDigest[];
  /** Further files that the attempt stands on: prompt, contract, baseline, sidecar, log. */
  readonly files: readonly NamedFile[];
  readonly attempt: AttemptFacts;
}

/** A seal, by its key and the digest of its file. */
export interface SealReference {
  readonly sealKey: string;
  readonly digest: Digest;
}

/** Where a seal stands in its run's chain. */
export interface ChainLink {
  /** 1 for the first seal of a run, then without gaps. */
  readonly sequence: number;
  /** The seal before it; null for the first. */
  readonly previous: SealReference | null;
  /** An earlier seal of the same attempt whose settlement was cut off before it took effect; null where there is none. */
  readonly supersedes: Digest | null;
}

/** How a seal is signed. One that isn't says so, and why, in what would have been signed. */
export type Signing =
  | { readonly algorithm: 'ed25519'; readonly keyId: string }
  | { readonly algorithm: 'none'; readonly reason: string };

/** The predicate of `PREDICATE_TYPE`. */
export interface SealPredicate {
  readonly sealKey: string;
  /** ISO 8601, UTC, by the clock of the machine that sealed; no verdict rests on it. */
  readonly sealedAt: string;
  readonly signing: Signing;
  readonly chain: ChainLink;
  readonly attempt: AttemptFacts;
  readonly files: readonly NamedFile[];
}

/** An in-toto Statement about one attempt. */
export interface SealStatement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: SealPredicate;
}

/** A DSSE envelope (DSSE 1.0, secure-systems-lab/dsse, seen 2026-11-29) with our version field, which other readers pass over. */
export interface SealEnvelope {
  readonly schemaVersion: '1.0';
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** The statement's JSON in base64. */
  readonly payload: string;
  /** One, or none where the statement says that it isn't signed. `keyid` is the SHA-256 of the public key's DER (SPKI) in hex. */
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** A seal in all its forms, which agree. */
export interface Seal {
  readonly envelope: SealEnvelope;
  readonly statement: SealStatement;
  /** The file's whole text. */
  readonly text: string;
  /** Over the bytes of `text`. */
  readonly digest: Digest;
}
