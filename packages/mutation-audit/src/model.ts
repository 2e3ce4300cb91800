import type { Digest, JsonValue } from '@bailiwick/durable-files';
import type { WriteContract } from '@bailiwick/write-policy';

/** A path: a string where it is UTF-8, else its bytes in base64. */
export type PathName = string | { readonly pathBytes: string };

/** One folder to observe. `git: 'auto'` looks for a repository at it; `'none'` treats it as plain files. */
export interface SnapshotRoot {
  readonly path: string;
  readonly git: 'auto' | 'none';
}

/** What `takeSnapshot` wrote. `digest` is over the file's bytes. */
export interface SnapshotReceipt {
  readonly digest: Digest;
  readonly entries: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** What kind of file an entry is. */
export type FileType = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device';

/** The lasting kinds of change. */
export type ChangeKind = 'created' | 'modified' | 'deleted' | 'mode' | 'type';

/** One path that differs from the baseline. Digests are `sha256:…`, or `git-sha1:…`/`git-sha256:…` where only git's index knew the content. */
export interface ObservedChange {
  readonly path: PathName;
  /** The snapshot root below which it lies, absolute. */
  readonly root: string;
  readonly kind: ChangeKind;
  readonly fileType: FileType;
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
  /** By the ignore rules as they stood at the baseline; a tracked path is never ignored. */
  readonly ignored: boolean;
  readonly tracked: boolean;
}

/**
 * A sign of activity that left no lasting difference: never charged, always reported.
 * `touched`: times moved, content equal. `restored`: only the change time moved (edited and put back, or attributes or links).
 * `transient`: names came and went in a folder.
 */
export interface ObservedTrace {
  readonly path: PathName;
  readonly kind: 'touched' | 'restored' | 'transient';
}

/** Which part of git's state an `ObservedGitChange` is about. */
export type GitPart =
  | 'head'
  | 'ref'
  | 'index'
  | 'stash'
  | 'config'
  | 'hook'
  | 'exclude'
  | 'attributes'
  | 'worktree'
  | 'operation'
  | 'repository'
  | 'file';

/** One difference of git's state by meaning. Values are an oid, `ref: <name>`, a digest or a one-line description; null is absent. */
export interface ObservedGitChange {
  /** The work tree the repository belongs to, or its git folder where none is known. */
  readonly root: string;
  /** The folder with the repository's refs and objects: the same for all its work trees. */
  readonly repository: string;
  /** True where the repository is nested in a root or a submodule, not the root's own. */
  readonly nested: boolean;
  /** Whether the repository's folder was ignored at the baseline. */
  readonly ignored: boolean;
  readonly what: GitPart;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The control file that holds it, absolute. */
  readonly path: string;
  /** For a branch that moved: whether the new tip has the old one below it; null where that could not be found out. */
  readonly advances?: boolean | null;
  /** For a branch that advanced: the paths its new commits change, relative to the work tree. */
  readonly committedPaths?: readonly PathName[];
}

/** A path that could not be compared, and why. */
export interface UnverifiablePath {
  readonly path: PathName;
  readonly reason: string;
  readonly ignored: boolean;
}

/** Git's state by meaning, in digests, one row per repository. */
export interface GitProjection {
  readonly repositories: readonly RepositoryProjection[];
}

/** One repository's state: `head` in clear, `index` is `unchanged` where the file is byte for byte the baseline's. */
export interface RepositoryProjection {
  readonly root: string;
  readonly repository: string;
  readonly head: string | null;
  readonly tip: string | null;
  readonly refs: string;
  readonly index: string;
  readonly control: string;
}

/** What a comparison saw. */
export interface TreeObservation {
  readonly changes: readonly ObservedChange[];
  readonly git: readonly ObservedGitChange[];
  readonly unverifiable: readonly UnverifiablePath[];
  readonly traces: readonly ObservedTrace[];
  readonly beforeDigest: Digest;
  readonly afterDigest: Digest;
  readonly gitProjection: { readonly before: GitProjection; readonly after: GitProjection };
  /** Files with more than one link, at the baseline (ignored ones aside) or of those that changed: something outside the tree may write them. */
  readonly aliased: readonly PathName[];
  readonly durationMs: number;
}

/** One job of a batch, as the audit needs it. `label` is for people. */
export interface JobContract {
  readonly dispatchId: string;
  readonly label: string;
  readonly contract: WriteContract;
}

/** A path of the orchestrator that differs from the digest its owner recorded. */
export interface TamperedPath {
  readonly path: string;
  readonly message: string;
}

/** What `judgeAttempt` looks at. */
export interface JudgeInput {
  readonly observation: TreeObservation;
  readonly self: JobContract;
  /** All jobs of the batch that lived, `self` among them. */
  readonly batch: readonly JobContract[];
  /**
   * Dispatch id → files that the job's own result declares as edited outside its plan (MA-4). A job without an entry
   * hands in no result, as a bare command does, and isn't told how to declare.
   */
  readonly declaredEdits: ReadonlyMap<string, readonly string[]>;
  readonly attemptFailed: boolean;
  readonly resultPresent: boolean;
  readonly orchestratorTampered?: readonly TamperedPath[];
  /** Workers of other batches that lived in the same tree meanwhile. */
  readonly liveElsewhere?: readonly JobContract[];
  /** Dispatch id → paths that the agent's own stream says it edited (MA-10 `claimed`). */
  readonly claimedEdits?: ReadonlyMap<string, readonly string[]>;
  /** WP-4's list, absolute. */
  readonly orchestrator?: readonly string[];
  /** What the orchestrator itself did to git meanwhile, as for another run's work tree: refs by full name, work trees by path. */
  readonly orchestratorGit?: { readonly refs: readonly string[]; readonly workTrees: readonly string[] };
}

/** MA-3's verdicts, in the order in which the first that applies is taken. */
export const AUDIT_STATUSES = [
  'unverifiable',
  'contract-breached',
  'contract-failed-unattributed',
  'mutation-present-unresolved',
  'failed-no-mutation',
  'ok',
] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];

/** MA-10's grades, strongest first; `none` where nothing changed. */
export const ATTRIBUTION_GRADES = ['none', 'call', 'exclusive', 'candidates', 'claimed', 'unattributed'] as const;
export type Attribution = (typeof ATTRIBUTION_GRADES)[number];

/** What a violation is about. */
export const VIOLATION_CODES = [
  'outside-policy',
  'out-of-plan',
  'never-writable',
  'protected-ignored',
  'git-state',
  'commit-outside-policy',
  'orchestrator-tampered',
  'unverifiable',
] as const;
export type ViolationCode = (typeof VIOLATION_CODES)[number];

/** One finding that is charged. `path` is project-relative where inside the project; absent where no path applies. */
export interface AuditViolation {
  readonly code: ViolationCode;
  readonly path?: PathName;
  readonly message: string;
}

/** One changed path of the audit. `candidates` are dispatch ids, those whose policy owns the path first. */
export interface ChangedPath {
  readonly path: PathName;
  readonly kind: ChangeKind;
  readonly attribution: Attribution;
  readonly candidates: readonly string[];
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
}

/** A change that is charged to nobody (MA-14). */
export interface ExternalChange {
  readonly path: PathName;
  readonly kind: ChangeKind | 'git';
  readonly reason: 'no-worker-could' | 'fetched-ref';
}

/** How much changed in one kind of free place, and the first of the paths. */
export interface UnchargedArea {
  readonly area: 'ignored' | 'scratch' | 'auxiliary';
  readonly count: number;
  readonly paths: readonly PathName[];
}

/** The audit of one attempt (wire-formats "Mutation audit"). Paths are project-relative where inside the project, else absolute. */
export interface MutationAudit {
  readonly status: AuditStatus;
  readonly changedPaths: readonly ChangedPath[];
  readonly sourceChanged: boolean;
  readonly gitChanged: boolean;
  readonly attribution: Attribution;
  readonly retryAllowed: boolean;
  readonly violations: readonly AuditViolation[];
  /** Null where there was nothing to compare with. */
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
  readonly gitProjection: { readonly before: GitProjection; readonly after: GitProjection } | null;
  readonly external: readonly ExternalChange[];
  /** What changed where anyone may write: ignored, scratch and auxiliary paths. Counted, the first of them named. */
  readonly uncharged: readonly UnchargedArea[];
  readonly aliased: readonly PathName[];
  readonly traces: readonly ObservedTrace[];
  readonly scope: 'tree' | 'write-roots';
}

/** Encoded audits are plain JSON. */
export type EncodedAudit = JsonValue;
