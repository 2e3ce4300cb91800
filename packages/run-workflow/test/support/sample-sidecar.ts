import type { StatusSidecar } from '@bailiwick/dispatch-state';

/** What a supervisor says of a worker. */
export function sidecarOf(
  dispatchId: StatusSidecar['dispatchId'],
  changes: Partial<StatusSidecar> = {},
): StatusSidecar {
  return {
    schemaVersion: '1.0',
    dispatchId,
    stage: 'running',
    reason: '',
    process: null,
    supervisorVersion: '0.0.0',
    socketPath: null,
    startedAt: '2026-11-29T16:18:01.000Z',
    updatedAt: '2026-11-29T16:18:02.000Z',
    lastOutputAt: null,
    exitCode: null,
    signal: null,
    endEvidence: 'absent',
    transientFailure: false,
    endProof: 'unknown',
    leftProcesses: 0,
    reportedSessionId: null,
    servedModel: { level: 'unknown', normalizedModelRef: null, reported: [], source: 'none', turns: 0 },
    usage: { inputTokens: 'unknown', outputTokens: 'unknown', cachedInputTokens: 'unknown', costUsd: 'unknown' },
    lastLine: null,
    logBytes: 0,
    ...changes,
  };
}
