import type { Digest } from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import type { MutationAudit } from '@bailiwick/mutation-audit';
import type { EndProof, Stage } from '../stages.ts';
import type { EndEvidence } from './facts.ts';

/** How the process ended: the first of the three questions that can each fail alone. */
export interface Lifecycle {
  /** The supervisor's last stage; `lost` where it died before a terminal one. */
  readonly end: Stage | 'lost';
  readonly endProof: EndProof;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endEvidence: EndEvidence;
  readonly transientFailure: boolean;
}

/**
 * What a worker did to source in its throw-away layer. Nothing of it lasts; but its word is then of other source than
 * the tree's.
 */
export interface LayerOutcome {
  /** Files of the tree that it altered or removed there, relative to the work tree, as a person reads them; the first few. */
  readonly altered: readonly string[];
  readonly alteredCount: number;
  /** Why that isn't known for all of the layer; null where it is. */
  readonly problem: string | null;
}

/** What the audit found: the second question. */
export interface ContractOutcome {
  /** True exactly where `audit` stands. */
  readonly audited: boolean;
  /** Null where nothing was started, so that nothing can have changed. */
  readonly audit: MutationAudit | null;
  /** Absent where the worker had no layer, or never ran. */
  readonly layer?: LayerOutcome;
}

/** An artifact of a worker, copied out of its drop box (MA-13). */
export interface CollectedArtifact {
  /** Where the worker left it, in its drop box. */
  readonly path: string;
  /** The copy that is read from now on, relative to the run's folder. */
  readonly copy: string;
  readonly digest: Digest;
  readonly bytes: number;
}

/** What the worker handed in: the third question. */
export interface ResultOutcome {
  /** False where the audit or the end bars the artifacts from counting; they are kept all the same. */
  readonly isTaken: boolean;
  readonly artifacts: readonly CollectedArtifact[];
  /** Completion paths that are absent, empty, or no regular file of acceptable size. */
  readonly missing: readonly string[];
  /** What the worker's own result says, where its role has a verdict to give and that is of the tree's own source (ST-8). */
  readonly verdict: 'pass' | 'fail' | null;
  readonly summary: string | null;
  /** The results folder of the invocation leads to this attempt; a failed link is no failure of the attempt (ST-3). */
  readonly link: { readonly ok: boolean; readonly reason: string } | null;
  /** The steps that ran after the collection. */
  readonly postProcessing: readonly string[];
}

/** The seal of an attempt, or why there is none: exactly one of the two stands (EV-3). */
export interface EvidenceOutcome {
  /** The seal's key. */
  readonly sealRef: string | null;
  readonly reason: string | null;
}

/** That there is to be another attempt, decided in settling this one (RT-4). */
export interface RetryDecision {
  readonly reason: string;
  readonly missingCompletionPaths: readonly string[];
  readonly successor: DispatchId;
}
