import { join } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import {
  buildDispatchId,
  invocationIdOf,
  parseBatchId,
  parseDispatchKind,
  parseDutyId,
  parseExecutionLabel,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseRunId,
  parseSessionId,
  sealKeyOf,
} from '@bailiwick/execution-identity';

const UNKNOWN_USAGE = {
  inputTokens: 'unknown',
  outputTokens: 'unknown',
  cachedInputTokens: 'unknown',
  costUsd: 'unknown',
} as const;

/** Who an attempt is of, and what it left. */
export interface SampleAttempt {
  readonly runDirectory: string;
  readonly worker: string;
  readonly attempt?: number;
  readonly artifactText?: string;
}

/** A completed attempt of an implementer, as settlement writes it. */
export function sampleRecord({
  runDirectory,
  worker,
  attempt = 1,
  artifactText = '{}',
}: SampleAttempt): DispatchRecord {
  const invocationRef = parseInvocationRef(`inv-${worker}`);
  const invocationId = invocationIdOf(invocationRef, attempt);
  const dispatchId = buildDispatchId(invocationId, attempt);
  const dropBoxPath = `/project/.bailiwick/out/${worker}`;
  const artifact = { digest: digestOfBytes(artifactText), bytes: Buffer.byteLength(artifactText) };
  return {
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    runId: parseRunId('r-1'),
    participantRef: parseParticipantRef(`p-${worker}`),
    roleExecutionRef: parseRoleExecutionRef(`re-${worker}`),
    invocationRef,
    executionLabel: parseExecutionLabel(worker),
    dutyId: parseDutyId('implement'),
    attempt,
    maxAttempts: 2,
    dispatchId,
    kind: parseDispatchKind('initial'),
    role: 'implementer',
    backend: 'cli-wrapper',
    wantedBackend: 'cli-wrapper',
    degradedFrom: null,
    degradedReason: null,
    provider: 'claude',
    modelRef: 'claude/sonnet',
    modelExecutionValue: 'sonnet',
    hostModelValue: null,
    modelSpecDigest: digestOfBytes('model'),
    status: 'completed',
    reason: '',
    paneId: null,
    sessionId: parseSessionId('session-1'),
    reportedSessionId: 'session-1',
    promptPath: join(runDirectory, `prompts/${worker}.md`),
    promptMetadataPath: join(runDirectory, `prompts/${worker}.md.meta.json`),
    resultPath: `${dropBoxPath}/result.json`,
    workerResultPath: `${dropBoxPath}/worker-result.md`,
    completionPaths: [`${dropBoxPath}/result.json`],
    dropBoxPath,
    statusSidecarPath: join(runDirectory, `sidecars/${worker}.json`),
    logPath: join(runDirectory, `logs/${worker}.log`),
    livenessMode: 'supervisor-lock',
    dispatchedAt: '2026-11-29T16:00:00.000Z',
    finishedAt: '2026-11-29T16:05:00.000Z',
    batchId: parseBatchId('b1'),
    worktree: '/project',
    inputDigest: digestOfBytes('prompt'),
    sourceDigest: digestOfBytes('source'),
    limits: { hardMs: 1000, idleMs: 1000, graceMs: 100 },
    invocationId,
    audience: 'implementation-executor',
    assignmentRef: 'executor',
    enforcementMode: 'core-pre-dispatch',
    writePolicyDigest: digestOfBytes('policy'),
    writeEnforcement: {
      boundaryPrecision: 'none',
      mutationAudit: 'batch',
      boundary: 'none',
      wider: [],
      keyIsolation: 'none',
      scope: 'tree',
    },
    mutationAuditSnapshotPath: join(runDirectory, 'snapshots/b1.snap'),
    process: { hostId: 'h', bootId: 'b', pidNamespace: '', pid: 7, startTicks: '1' },
    lifecycle: {
      end: 'exited',
      endProof: 'search',
      exitCode: 0,
      signal: null,
      endEvidence: 'positive',
      transientFailure: false,
    },
    contract: {
      audited: true,
      audit: {
        status: 'ok',
        changedPaths: [
          {
            path: 'src/a.ts',
            kind: 'modified',
            attribution: 'candidates',
            candidates: [dispatchId],
            beforeDigest: digestOfBytes('before'),
            afterDigest: digestOfBytes('after'),
          },
          {
            path: { pathBytes: '/w==' },
            kind: 'created',
            attribution: 'candidates',
            candidates: [dispatchId],
            beforeDigest: null,
            afterDigest: digestOfBytes('new'),
          },
        ],
        sourceChanged: true,
        gitChanged: false,
        attribution: 'candidates',
        retryAllowed: false,
        violations: [{ code: 'out-of-plan', message: 'half a pair: \ud800' }],
        beforeDigest: digestOfBytes('tree before'),
        afterDigest: digestOfBytes('tree after'),
        gitProjection: null,
        external: [],
        uncharged: [],
        aliased: [],
        traces: [],
        scope: 'tree',
      },
    },
    result: {
      isTaken: true,
      artifacts: [
        { path: `${dropBoxPath}/result.json`, copy: `results/${worker}-${attempt}/result.json`, ...artifact },
      ],
      missing: [],
      verdict: null,
      summary: 'done',
      link: { ok: true, reason: '' },
      postProcessing: [],
    },
    retry: null,
    servedModel: {
      level: 'exact',
      normalizedModelRef: 'claude/sonnet',
      reported: ['claude-sonnet-5'],
      source: 'stream',
      turns: 3,
    },
    usage: UNKNOWN_USAGE,
    endProof: 'search',
    stoppedBy: null,
    evidence: { sealRef: sealKeyOf(invocationRef, attempt), reason: null },
    batchInvocations: [invocationRef],
    orchestratorDigests: [],
    eventLogOffset: 0,
    errorLogOffset: 0,
  };
}
