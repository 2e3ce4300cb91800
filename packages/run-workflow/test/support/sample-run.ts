import { type AssignmentEnvironment, hostOf } from '@bailiwick/assignment-resolution';
import {
  type DispatchRecord,
  layoutOfRun,
  type RoleExecution,
  type RunLayout,
  type RunManifest,
} from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import {
  audienceOfRole,
  buildDispatchId,
  invocationIdOf,
  parseBatchId,
  parseDutyId,
  parseInvocationRef,
  parseRunId,
  sealKeyOf,
} from '@bailiwick/execution-identity';
import { type MutationAudit, unverifiableAudit } from '@bailiwick/mutation-audit';
import { draftManifest, type Project, type ProjectConfig, poolOf, type Task } from '../../src/index.ts';

export const CONFIG: ProjectConfig = {
  schemaVersion: '1.0',
  team: {
    implementer: { model: 'claude/sonnet' },
    verifiers: [{ model: 'codex/gpt-5.5' }, { model: 'claude/opus' }],
    reportWriter: { model: 'gemini/gemini-2.5-pro' },
  },
};

export function environmentWith(...installed: readonly string[]): AssignmentEnvironment {
  return {
    host: hostOf({ leadRuntime: 'terminal', terminalBackend: 'none' }),
    providers: new Map(installed.map((id) => [id, { providerId: id, installed: true, supported: true }])),
  };
}

export const ENVIRONMENT = environmentWith('claude', 'codex', 'gemini');

export function projectAt(root: string, headCommit: string | null = null): Project {
  return { root, gitCommonDirectory: `${root}/.git`, headCommit, stateRoot: `${root}/.git/bailiwick` };
}

export function taskOf(text: string, plannedPaths: readonly string[] = []): Task {
  return { path: '/shop/TASK.md', text, digest: digestOfBytes(text), title: 'Fix the cart', plannedPaths };
}

export interface SampleRun {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
}

/** A run of an implementer, two verifiers and a report writer; nothing of it is on disk. */
export function sampleRun(
  project: Project = projectAt('/shop'),
  o: { readonly isolation?: 'tree' | 'worktree'; readonly config?: ProjectConfig; readonly runId?: string } = {},
): SampleRun {
  const runId = parseRunId(o.runId ?? 'r-20261129-161800-4f9a2c');
  const request = {
    project,
    config: o.config ?? CONFIG,
    task: taskOf('# Fix the cart\n'),
    pool: poolOf(CONFIG),
    environment: ENVIRONMENT,
    now: new Date('2026-11-29T16:18:00.000Z'),
    ...(o.isolation === undefined ? {} : { isolation: o.isolation }),
  };
  return { layout: layoutOfRun(project.stateRoot, runId), manifest: draftManifest(request, runId) };
}

/** The audit of an attempt that did what it may. */
export function auditWith(changes: Partial<MutationAudit> = {}): MutationAudit {
  return { ...unverifiableAudit(''), status: 'ok', violations: [], attribution: 'none', ...changes };
}

export interface RecordChoice {
  /** 1 for a worker's first invocation. */
  readonly invocation?: number;
  readonly attempt?: number;
  /** Where the event log stood at the claim: what tells which invocation came later. */
  readonly at?: number;
}

/** The record of a running attempt. */
export function launchingRecord(run: SampleRun, label: string, o: RecordChoice = {}): DispatchRecord {
  const { manifest } = run;
  const execution = executionOf(manifest, label);
  const { invocation = 1, attempt = 1, at = 0 } = o;
  const invocationRef = parseInvocationRef(`${manifest.runId}.${label}.${invocation}`);
  const invocationId = invocationIdOf(invocationRef, attempt);
  const dispatchId = buildDispatchId(invocationId, attempt);
  const dropBoxPath = `${manifest.projectRoot}/.bailiwick/out/${invocationRef}`;
  const digest = digestOfBytes('x');
  return {
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    runId: manifest.runId,
    dispatchId,
    participantRef: execution.participantRef,
    roleExecutionRef: execution.roleExecutionRef,
    invocationRef,
    executionLabel: execution.executionLabel,
    dutyId: parseDutyId('duty'),
    attempt,
    maxAttempts: 2,
    kind: 'initial',
    role: execution.role,
    backend: 'cli-wrapper',
    wantedBackend: 'cli-wrapper',
    degradedFrom: null,
    degradedReason: null,
    provider: execution.provider,
    modelRef: execution.modelRef ?? '',
    modelExecutionValue: execution.binding?.resolvedExecutionValue ?? '',
    hostModelValue: null,
    modelSpecDigest: execution.modelSpecDigest ?? digest,
    status: 'launching',
    reason: '',
    paneId: null,
    sessionId: '',
    reportedSessionId: null,
    promptPath: `${run.layout.promptsFolder}/${invocationRef}.md`,
    promptMetadataPath: `${run.layout.promptsFolder}/${invocationRef}.md.meta.json`,
    resultPath: `${dropBoxPath}/result.json`,
    workerResultPath: `${dropBoxPath}/worker-result.md`,
    completionPaths: [`${dropBoxPath}/result.json`, `${dropBoxPath}/worker-result.md`],
    dropBoxPath,
    statusSidecarPath: `${run.layout.sidecarsFolder}/${label}-${invocation}-${attempt}.json`,
    logPath: `${run.layout.logsFolder}/${label}-${invocation}-${attempt}.log`,
    livenessMode: 'supervisor-lock',
    dispatchedAt: '2026-11-29T16:18:00.000Z',
    finishedAt: null,
    batchId: parseBatchId('b-1'),
    worktree: manifest.worktree ?? manifest.projectRoot,
    inputDigest: digest,
    sourceDigest: digest,
    limits: manifest.limits,
    invocationId,
    audience: audienceOfRole(execution.role),
    assignmentRef: label,
    enforcementMode: 'core-pre-dispatch',
    writePolicyDigest: digest,
    writeEnforcement: {
      boundaryPrecision: 'none',
      mutationAudit: 'batch',
      boundary: 'none',
      wider: [],
      keyIsolation: 'none',
      scope: 'tree',
    },
    mutationAuditSnapshotPath: `${run.layout.snapshotsFolder}/b-1.snap`,
    process: null,
    lifecycle: null,
    contract: null,
    result: null,
    retry: null,
    servedModel: null,
    usage: null,
    endProof: null,
    stoppedBy: null,
    evidence: null,
    batchInvocations: [invocationRef],
    orchestratorDigests: [],
    eventLogOffset: at,
    errorLogOffset: 0,
  };
}

/** The record of an attempt that completed; a verifier says `pass`. */
export function completedRecord(
  run: SampleRun,
  label: string,
  changes: Partial<DispatchRecord> = {},
  o: RecordChoice = {},
): DispatchRecord {
  const record = launchingRecord(run, label, o);
  return {
    ...record,
    status: 'completed',
    finishedAt: '2026-11-29T16:18:30.000Z',
    lifecycle: {
      end: 'exited',
      endProof: 'search',
      exitCode: 0,
      signal: null,
      endEvidence: 'positive',
      transientFailure: false,
    },
    endProof: 'search',
    contract: { audited: true, audit: auditWith() },
    result: {
      isTaken: true,
      artifacts: [],
      missing: [],
      verdict: record.role === 'verifier' ? 'pass' : null,
      summary: 'done',
      link: { ok: true, reason: '' },
      postProcessing: [],
    },
    servedModel: { level: 'unknown', normalizedModelRef: null, reported: [], source: 'none', turns: 0 },
    evidence: { sealRef: sealKeyOf(record.invocationRef, record.attempt), reason: null },
    ...changes,
  };
}

/** The record of an attempt that ended without completing. */
export function failedRecord(
  run: SampleRun,
  label: string,
  end: NonNullable<DispatchRecord['lifecycle']>['end'],
  changes: Partial<DispatchRecord> = {},
  o: RecordChoice = {},
): DispatchRecord {
  const record = completedRecord(run, label, {}, o);
  const { lifecycle, result } = record;
  if (lifecycle === null || result === null) throw new Error('a completed record has both');
  return {
    ...record,
    status: 'error',
    reason: `it ended as ${end}`,
    lifecycle: { ...lifecycle, end, exitCode: 1, endEvidence: 'negative' },
    contract: { audited: true, audit: auditWith({ status: 'failed-no-mutation' }) },
    result: { ...result, isTaken: false, verdict: null },
    ...changes,
  };
}

function executionOf(manifest: RunManifest, label: string): RoleExecution {
  const found = manifest.roleExecutions.find((row) => row.executionLabel === label);
  if (found === undefined) throw new Error(`the sample run has no ${label}`);
  return found;
}
