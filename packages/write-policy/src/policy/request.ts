import type { Role } from '@bailiwick/execution-identity';
import type { BoundaryPrecision, GitPermission, IgnoredPaths, PathName } from '../model.ts';

/** What a policy is built from (WP-1). All paths are given as the caller has them; nothing here has touched a disk. */
export interface WritePolicyRequest {
  readonly role: Role;
  /** Absolute. */
  readonly projectRoot: PathName;
  /** Absolute; absent when the worker starts in the project root (WP-9). */
  readonly worktree?: PathName;
  /** The invocation's own drop box (`dropBoxPath`); absent only for a policy that owes nothing. */
  readonly dropBox?: PathName;
  /** Result, worker result, completion paths, sidecars: absolute or relative to the project root. */
  readonly artifactPaths?: readonly PathName[];
  /** Implementers only: absolute or relative to the worktree; may be patterns. */
  readonly plannedPaths?: readonly PathName[];
  /** Verifiers only: absolute or relative to the project root. */
  readonly auxiliaryRoots?: readonly PathName[];
  /** Default `none`. */
  readonly git?: GitPermission;
  /** Default `free`. */
  readonly ignored?: IgnoredPaths;
  /** From the config: absolute or relative to the worktree; may be patterns. */
  readonly scratch?: readonly PathName[];
  /** A cap on what the policy asks of a boundary; by default it asks for what its role needs. */
  readonly maximumBoundaryPrecision?: BoundaryPrecision;
  /** The one list of WP-4, from `orchestratorPaths`. */
  readonly orchestrator: readonly string[];
}

/** What only a disk can tell, found out by the caller. */
export interface PathFacts {
  /**
   * For each of `pathsToResolve(request)` its real path: every symbolic link on the way resolved, and where it
   * doesn't exist yet, the real path of its closest existing folder with the missing names after it.
   */
  readonly realPathOf: ReadonlyMap<string, string>;
  /** Real paths of folders that the user declared fit to be auxiliary roots; a root is one of them or lies in one. */
  readonly validatedAuxiliaryRoots?: readonly string[];
}

export interface WritePolicyInput extends WritePolicyRequest {
  readonly facts: PathFacts;
}
