import type { AttestationSource } from '@bailiwick/assignment-resolution';
import {
  costOf,
  costOfAttempt,
  type DispatchRecord,
  type DispatchStatus,
  type EndProof,
  type Isolation,
  inOrderOfStart,
  isTerminalStatus,
  type RunCost,
  type RunManifest,
  type UnauditedRecord,
  type Unreadable,
  workerOfRecord,
} from '@bailiwick/dispatch-state';
import type { Role } from '@bailiwick/execution-identity';
import { type Attribution, type AuditStatus, type AuditViolation, displayPath } from '@bailiwick/mutation-audit';
import type { Boundary, ThrowAwayLayer } from '@bailiwick/write-policy';
import { nextPhase, type Phase, type RunOutcome } from '../phases/next-phase.ts';
import { type Damage, damageOf } from './damage.ts';
import { shownPath } from './shown-path.ts';

/** What stands for the audit of a v1 job. */
const UNAUDITED = 'unaudited' as const;

/** One attempt, as a person wants to see it. */
export interface AttemptSummary {
  readonly workerId: string;
  readonly role: Role;
  readonly attempt: number;
  readonly dispatchId: string;
  readonly provider: string;
  readonly modelRef: string;
  /** The model that answered, `unknown` where nobody could see it. */
  readonly servedModel: string;
  readonly servedModelSource: AttestationSource;
  readonly status: DispatchStatus;
  readonly reason: string;
  readonly verdict: 'pass' | 'fail' | null;
  /** The audit's verdict; `pending` before it, `none` where nothing was started, `unaudited` of a v1 job: what that changed is unknown. */
  readonly audit: AuditStatus | 'pending' | 'none' | 'unaudited';
  readonly attribution: Attribution;
  readonly changedPaths: readonly string[];
  readonly violations: readonly {
    readonly code: AuditViolation['code'];
    readonly path: string;
    readonly message: string;
  }[];
  /** What held the worker while it ran: `bubblewrap`, `provider` (its own sandbox) or `none`. */
  readonly boundary: Boundary;
  /** Why there was no operating-system boundary; empty where there was one. */
  readonly boundaryReason: string;
  /** The throw-away layer that it had over its work tree: `overlay`, `copy` or `none`. */
  readonly layer: ThrowAwayLayer | 'none';
  /** Why it had none although its role has one; empty elsewhere. */
  readonly layerReason: string;
  /** Source that it altered in its layer, of which nothing lasts; the first few. */
  readonly alteredInLayer: readonly string[];
  readonly endProof: EndProof;
  readonly durationMs: number | null;
  /** US dollars, as wire or stream reported it; null before the end, and where nothing ran. */
  readonly costUsd: number | 'unknown' | null;
  readonly logPath: string;
  readonly sessionId: string;
  readonly reportedSessionId: string | null;
  /** False where the source differs from what this verifier saw at its start (ST-8); null where it isn't a verifier's. */
  readonly isCurrent: boolean | null;
}

/** A run, as manifest and records say it. */
export interface RunSummary {
  readonly runId: string;
  readonly taskKey: string;
  readonly createdAt: string;
  readonly projectRoot: string;
  readonly isolation: Isolation;
  readonly worktree: string | null;
  readonly runDirectory: string;
  readonly state: 'unfinished' | RunOutcome;
  readonly phase: Phase | null;
  readonly attempts: readonly AttemptSummary[];
  readonly changedPaths: readonly string[];
  readonly cost: RunCost;
  readonly reportPath: string | null;
  /** Records that can't be read: what is said here lacks their attempts. */
  readonly unreadable: readonly Damage[];
}

/** Pure: the same manifest and records give the same summary. `sourceDigest` is that of the tree now, where it is known. */
export function summariseRun(o: {
  readonly manifest: RunManifest;
  readonly records: readonly DispatchRecord[];
  readonly unaudited?: readonly UnauditedRecord[] | undefined;
  readonly unreadable: readonly Unreadable[];
  readonly reportPath: string | null;
  readonly sourceDigest?: string | undefined;
}): RunSummary {
  const { manifest } = o;
  const step = nextPhase(manifest, o.records, { mayRecover: false });
  const attempts = inOrderOfStart(o.records).map((record) => summariseAttempt(record, manifest, o.sourceDigest));
  return {
    runId: manifest.runId,
    taskKey: manifest.taskKey,
    createdAt: manifest.createdAt,
    projectRoot: manifest.projectRoot,
    isolation: manifest.isolation,
    worktree: manifest.worktree,
    runDirectory: manifest.runDirectoryPath,
    state: step.kind === 'ended' ? step.outcome : 'unfinished',
    phase: step.phase,
    attempts: [...attempts, ...(o.unaudited ?? []).map(summariseUnaudited)],
    changedPaths: [...new Set(attempts.flatMap((attempt) => attempt.changedPaths))].sort(),
    cost: costOf([...o.records, ...(o.unaudited ?? [])], o.unreadable.length),
    reportPath: o.reportPath,
    unreadable: damageOf(o.unreadable),
  };
}

function summariseAttempt(
  record: DispatchRecord,
  manifest: RunManifest,
  sourceDigest: string | undefined,
): AttemptSummary {
  const audit = record.contract?.audit ?? null;
  return {
    workerId: workerOfRecord(record, manifest),
    role: record.role,
    attempt: record.attempt,
    dispatchId: record.dispatchId,
    provider: record.provider,
    modelRef: record.modelRef,
    servedModel: servedModelOf(record),
    servedModelSource: record.servedModel?.source ?? 'none',
    status: record.status,
    reason: record.reason,
    verdict: record.result?.verdict ?? null,
    audit: audit?.status ?? (isTerminalStatus(record.status) ? 'none' : 'pending'),
    attribution: audit?.attribution ?? 'none',
    changedPaths: (audit?.changedPaths ?? [])
      .map((row) => shownPath(row.path, manifest))
      .filter((path) => path !== undefined),
    violations: (audit?.violations ?? []).map(({ code, path, message }) => ({
      code,
      path: path === undefined ? '' : displayPath(path),
      message,
    })),
    boundary: record.writeEnforcement.boundary,
    boundaryReason: record.writeEnforcement.boundaryReason ?? '',
    layer: record.writeEnforcement.layer ?? 'none',
    layerReason: record.writeEnforcement.layerReason ?? '',
    alteredInLayer: record.contract?.layer?.altered ?? [],
    endProof: record.endProof ?? 'unknown',
    durationMs: record.finishedAt === null ? null : Date.parse(record.finishedAt) - Date.parse(record.dispatchedAt),
    costUsd: costOfAttempt(record),
    logPath: record.logPath,
    sessionId: record.sessionId,
    reportedSessionId: record.reportedSessionId,
    isCurrent: record.role !== 'verifier' || sourceDigest === undefined ? null : record.sourceDigest === sourceDigest,
  };
}

/** A v1 job as what it is: nobody looked at what it changed, so nothing is said of that (MA-8). */
function summariseUnaudited(record: UnauditedRecord): AttemptSummary {
  const { workerId, role, attempt, dispatchId, provider, modelRef, status, reason, logPath } = record;
  return {
    workerId,
    role,
    attempt,
    dispatchId,
    provider,
    modelRef,
    servedModel: servedModelOf(record),
    servedModelSource: record.servedModel?.source ?? 'none',
    status,
    reason,
    verdict: record.result?.verdict ?? null,
    audit: UNAUDITED,
    attribution: 'none',
    changedPaths: [],
    violations: [],
    boundary: 'none',
    boundaryReason: 'a v1 job is never confined',
    layer: 'none',
    layerReason: '',
    alteredInLayer: [],
    endProof: record.endProof ?? 'unknown',
    durationMs: record.finishedAt === null ? null : Date.parse(record.finishedAt) - Date.parse(record.dispatchedAt),
    costUsd: costOfAttempt(record),
    logPath,
    sessionId: record.sessionId,
    reportedSessionId: record.reportedSessionId,
    isCurrent: null,
  };
}

function servedModelOf({ servedModel }: Pick<DispatchRecord, 'servedModel'>): string {
  if (servedModel === null || servedModel.source === 'none') return 'unknown';
  return servedModel.normalizedModelRef ?? servedModel.reported.join(', ');
}
