import { type ChildProcess, spawn } from 'node:child_process';
import { STOPPED_AS_LOST } from '@bailiwick/backend-contract';
import { writeSidecar } from '@bailiwick/dispatch-state';
import { tryLock } from '@bailiwick/durable-files';
import {
  FENCE_VARIABLE,
  findAttemptProcesses,
  readProcessIdentity,
  startingSidecar,
} from '@bailiwick/process-supervision';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCliWrapperBackend } from '../src/index.ts';
import { makeBatch, type TestBatch } from './support/test-batch.ts';

const backend = createCliWrapperBackend({ supervisorPath: '/not/needed' });

let batch: TestBatch;
let orphan: ChildProcess;
beforeEach(async () => {
  batch = await makeBatch();
  orphan = await leftBehind(batch);
});
afterEach(async () => {
  orphan.kill('SIGKILL');
  await batch.remove();
});

/** A worker whose supervisor has died: its process, and its sidecar at `starting`. */
async function leftBehind({ job }: TestBatch): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.05; done'], {
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', [FENCE_VARIABLE]: job.dispatchId },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const identity = readProcessIdentity(child.pid ?? 0) ?? null;
  const source = { dispatchId: job.dispatchId, supervisorVersion: '0', socketPath: null };
  await writeSidecar(job.sidecarPath, startingSidecar(source, identity));
  return child;
}

describe('stop without a supervisor', () => {
  it('AW-6 ends what is left of the attempt and says in its sidecar who stopped it', async () => {
    const [outcome] = await backend.stop([batch.address()], { by: 'anna', graceMs: 50 });
    expect(outcome).toMatchObject({ dispatchId: batch.job.dispatchId, isGone: true, endProof: 'search' });
    expect(outcome?.endedProcesses).toBeGreaterThan(0);
    const sidecar = await batch.sidecar();
    expect(sidecar).toMatchObject({ stage: 'stopped', endProof: 'search' });
    expect(sidecar?.reason).toContain('anna');
    expect(await findAttemptProcesses(batch.job.dispatchId)).toEqual([]);
  });

  it('AW-4 as lost it ends what is left, and the sidecar stays as its supervisor left it', async () => {
    const [outcome] = await backend.stop([batch.address()], { by: STOPPED_AS_LOST, graceMs: 0 });
    expect(outcome).toMatchObject({ isGone: true, endProof: 'search' });
    expect((await batch.sidecar())?.stage).toBe('starting');
    expect(await findAttemptProcesses(batch.job.dispatchId)).toEqual([]);
  });

  it('leaves a worker on another machine alone and says that it is not gone', async () => {
    const sidecar = await batch.sidecar();
    if (sidecar?.process == null) throw new Error('the sidecar names its process');
    await writeSidecar(batch.job.sidecarPath, { ...sidecar, process: { ...sidecar.process, hostId: 'elsewhere' } });
    const outcomes = await backend.stop([batch.address()], { by: 'anna', graceMs: 0 });
    expect(outcomes).toEqual([
      { dispatchId: batch.job.dispatchId, isGone: false, endProof: 'unknown', endedProcesses: 0 },
    ]);
    expect((await batch.sidecar())?.stage).toBe('starting');
    expect(await backend.probe(batch.address())).toBe('unknown');
  });
});

describe('stop beside a supervisor that hangs', () => {
  it('ends the tree over its head, and does not say that the attempt is over', async () => {
    const lock = tryLock(batch.address().liveLockPath);
    const [outcome] = await backend.stop([batch.address()], { by: 'anna', graceMs: 0 });
    lock?.release();
    expect(outcome).toMatchObject({ isGone: false, endProof: 'search' });
    expect(await findAttemptProcesses(batch.job.dispatchId)).toEqual([]);
    expect((await batch.sidecar())?.stage).toBe('starting');
  });
});
