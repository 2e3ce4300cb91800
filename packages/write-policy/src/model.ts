import type { Digest } from '@bailiwick/durable-files';
import type { Role } from '@bailiwick/execution-identity';

/** How fine a boundary can tell paths apart, coarse to fine. `none`: it confines nothing. */
export const BoundaryPrecision = {
  none: 'none',
  worktree: 'worktree',
  directory: 'directory',
  file: 'file',
} as const;
export type BoundaryPrecision = (typeof BoundaryPrecision)[keyof typeof BoundaryPrecision];

/** What confines the worker's process while it runs. */
export const Boundary = { bubblewrap: 'bubblewrap', provider: 'provider', none: 'none' } as const;
export type Boundary = (typeof Boundary)[keyof typeof Boundary];

/** Which git state a worker may change; `commit`: its own branch may advance on top of the old tip. */
export const GitPermission = { none: 'none', commit: 'commit' } as const;
export type GitPermission = (typeof GitPermission)[keyof typeof GitPermission];

/**
 * Which paths that git ignored at the baseline charge nobody (WP-10): `free` all but the fixed list, `listed` only
 * those that `scratch` names, `none` not even those.
 */
export const IgnoredPaths = { free: 'free', listed: 'listed', none: 'none' } as const;
export type IgnoredPaths = (typeof IgnoredPaths)[keyof typeof IgnoredPaths];

/** Whether one attempt is compared by itself (`call`) or only with its whole batch (`batch`). */
export const MutationAuditMode = { batch: 'batch', call: 'call' } as const;
export type MutationAuditMode = (typeof MutationAuditMode)[keyof typeof MutationAuditMode];

/** Where the keys of a model API are while the agent runs. */
export const KeyIsolation = { gateway: 'gateway', masked: 'masked', none: 'none' } as const;
export type KeyIsolation = (typeof KeyIsolation)[keyof typeof KeyIsolation];

/** What the audit of an attempt looks at. */
export const AuditScope = { tree: 'tree', writeRoots: 'write-roots' } as const;
export type AuditScope = (typeof AuditScope)[keyof typeof AuditScope];

/**
 * Where one invocation may write. Every path is absolute and normalized, without a symbolic link on its way when the
 * policy was built. `plannedPaths` and `scratch` may end in a pattern below their root (see `parsePattern`).
 */
export interface WritePolicy {
  readonly role: Role;
  readonly projectRoot: string;
  /** Where the worker starts; the project root when it has no worktree of its own (WP-9). */
  readonly worktree: string;
  /** What the worker owes, all in one drop box (WP-2). */
  readonly artifactPaths: readonly string[];
  /** An implementer's source. Empty means its whole worktree, less what is never writable (WP-3). */
  readonly plannedPaths: readonly string[];
  readonly auxiliaryRoots: readonly string[];
  readonly git: GitPermission;
  readonly ignored: IgnoredPaths;
  readonly scratch: readonly string[];
  /** The precision that the policy asks of a boundary. */
  readonly maximumBoundaryPrecision: BoundaryPrecision;
}

/** What no boundary in force can hold, whatever the policy says; only the audit sees it. */
export const BoundaryGap = {
  /** A denied file that isn't there yet has nothing that could be locked. */
  absentFiles: 'absent-files',
  /** A file with another name in a write root is written through that name. */
  hardLinks: 'hard-links',
  /** A daemon whose socket is in reach writes for the worker. */
  unixSockets: 'unix-sockets',
  /** `git: commit` opens HEAD, the index and the folder of the own branch. */
  gitCommit: 'git-commit',
  /** More is to be locked than a boundary can have mounts; what isn't is in `wider`. */
  tooManyMounts: 'too-many-mounts',
} as const;
export type BoundaryGap = (typeof BoundaryGap)[keyof typeof BoundaryGap];

/**
 * What a confined worker that may change no source has over its worktree, so that programs it runs may write there and
 * nothing of it lasts: an `overlay`, or a `copy` of what git doesn't ignore.
 */
export const ThrowAwayLayer = { overlay: 'overlay', copy: 'copy' } as const;
export type ThrowAwayLayer = (typeof ThrowAwayLayer)[keyof typeof ThrowAwayLayer];

/** What was really in force while the worker ran (WP-5). */
export interface WriteEnforcement {
  readonly boundaryPrecision: BoundaryPrecision;
  readonly mutationAudit: MutationAuditMode;
  readonly boundary: Boundary;
  /** Absolute paths that the boundary admits beyond the policy; the audit still judges them. */
  readonly wider: readonly string[];
  readonly keyIsolation: KeyIsolation;
  readonly scope: AuditScope;
  /** Why no operating-system boundary is in force; absent where one is. */
  readonly boundaryReason?: string;
  /** Present where an operating-system boundary is in force. */
  readonly unheld?: readonly BoundaryGap[];
  /** Absent: the worker had the worktree itself before it, as far as its boundary opens that. */
  readonly layer?: ThrowAwayLayer;
  /** Why a worker that was to have a layer has none. */
  readonly layerReason?: string;
}

/** Policy and enforcement as stored with the invocation; one digest over both. */
export interface WriteContract {
  readonly policy: WritePolicy;
  readonly enforcement: WriteEnforcement;
  readonly digest: Digest;
}

/** A path of a file system: text, or its bytes in base64 where they aren't UTF-8. */
export type PathName = string | { readonly pathBytes: string };

/** What a path is to a policy. */
export type PathArea =
  /** In the invocation's own drop box. */
  | 'artifact'
  /** Source: an implementer's own when allowed, somebody's when not. */
  | 'source'
  /** In an implementer's worktree, not in its plan; the only area that a declared edit can cover (MA-4). */
  | 'out-of-plan'
  | 'auxiliary'
  | 'scratch'
  /** Ignored by git at the baseline: reported, charged to nobody. */
  | 'ignored'
  /** Ignored by git, but on the fixed list of WP-10. */
  | 'protected-ignored'
  | 'orchestrator'
  /** Version control's or our own folder. */
  | 'never'
  | 'outside';

export interface PathDecision {
  readonly allowed: boolean;
  readonly area: PathArea;
}

/** What a boundary opens and closes. Of two entries around a path the longer one counts; on a tie `readOnly` does. */
export interface CompiledBoundary {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** The part of `writable` that goes beyond the policy. */
  readonly wider: readonly string[];
}
