import { type StatusSidecar, type SupervisedJob, writeSidecar } from '@bailiwick/dispatch-state';
import { expect, it } from 'vitest';
import { backendConformance, type Liveness, type WorkerBackend } from '../src/index.ts';
import { idleBackend } from './support/idle-backend.ts';

const PROCESS = { hostId: 'h', bootId: 'b', pidNamespace: 'n', pid: 1, startTicks: '1' };

/** Every worker has ended before its launch returns; what keeps it says for a few looks that it is alive, then `lastly`. */
function lateBackend(lastly: Liveness): WorkerBackend {
  let aliveFor = 3;
  return {
    ...idleBackend(),
    launch: async ({ jobs }, { onReady }) => {
      onReady();
      for (const job of jobs) await writeSidecar(job.sidecarPath, endedSidecar(job));
      return { started: [], queued: [], failed: [] };
    },
    probe: async () => (aliveFor-- > 0 ? 'alive' : lastly),
  };
}

function endedSidecar({ dispatchId }: SupervisedJob): StatusSidecar {
  const at = new Date().toISOString();
  return {
    schemaVersion: '1.0',
    dispatchId,
    supervisorVersion: '0.0.0',
    socketPath: null,
    stage: 'exited',
    reason: '',
    process: PROCESS,
    startedAt: at,
    updatedAt: at,
    lastOutputAt: null,
    exitCode: 0,
    signal: null,
    endEvidence: 'positive',
    transientFailure: false,
    endProof: 'search',
    leftProcesses: 0,
    reportedSessionId: null,
    servedModel: { level: 'unknown', normalizedModelRef: null, reported: [], source: 'none', turns: 0 },
    usage: { inputTokens: 'unknown', outputTokens: 'unknown', cachedInputTokens: 'unknown', costUsd: 'unknown' },
    lastLine: null,
    logBytes: 0,
  };
}

it.each([
  ['unknown', true],
  ['gone', false],
] as const)('B5 a supervisor may leave after its last attempt; then %s holds: %s', async (lastly, holds) => {
  const checks = backendConformance({ makeBackend: () => lateBackend(lastly) });
  const result = await checks.find(({ name }) => name.includes('cannot be seen'))?.run();
  expect(result?.holds, result?.why).toBe(holds);
});
