import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttemptAddress } from '@bailiwick/backend-contract';
import { readSidecar, type StatusSidecar, type SupervisedJob, type SupervisionOrder } from '@bailiwick/dispatch-state';
import {
  buildDispatchId,
  invocationIdOf,
  newBatchId,
  newSessionId,
  parseInvocationRef,
} from '@bailiwick/execution-identity';

/** A batch of one job, without the documents that a real supervisor looks at. */
export interface TestBatch {
  readonly job: SupervisedJob;
  order(): SupervisionOrder;
  address(changes?: Partial<AttemptAddress>): AttemptAddress;
  sidecar(): Promise<StatusSidecar | undefined>;
  remove(): Promise<void>;
}

export async function makeBatch(): Promise<TestBatch> {
  const folder = await mkdtemp(join(tmpdir(), 'cli-wrapper-'));
  const batchId = newBatchId();
  const job = jobIn(folder);
  const liveLockPath = join(folder, 'live');
  return {
    job,
    order: () => ({
      schemaVersion: '1.0',
      runDirectory: folder,
      batchId,
      liveLockPath,
      socketPath: null,
      maxConcurrent: 1,
      maxLogBytes: 1_000_000,
      jobs: [job],
    }),
    address: (changes) => ({
      batchId,
      dispatchId: job.dispatchId,
      sidecarPath: job.sidecarPath,
      liveLockPath,
      socketPath: null,
      process: null,
      ...changes,
    }),
    sidecar: () => readSidecar(job.sidecarPath),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function jobIn(folder: string): SupervisedJob {
  const ref = parseInvocationRef(`cli-wrapper-${newSessionId()}`);
  return {
    dispatchId: buildDispatchId(invocationIdOf(ref, 1), 1),
    recordPath: join(folder, 'record.json'),
    sidecarPath: join(folder, 'sidecar.json'),
    logPath: join(folder, 'log'),
    provider: 'custom',
    endEvidence: 'exit-code',
    argv: ['/bin/sh', '-c', 'exit 0'],
    env: {},
    cwd: folder,
    stdin: { kind: 'none' },
    promptPath: join(folder, 'prompt.md'),
    dropBoxPath: folder,
    sessionId: '',
    limits: { hardMs: 60_000, idleMs: 60_000, graceMs: 0 },
    servedModel: { selectedModelRef: 'custom/any', poolEntries: [], minimumSource: null },
    stopIntentPath: join(folder, 'stop.json'),
  };
}
