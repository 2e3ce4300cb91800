import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend, forgetSidecar } from '../support/fake-backend.ts';
import { makeScene, planFor, recordsOf } from '../support/scene.ts';

describe('an attempt without an owner', () => {
  it('AW-4 is not settled as lost while its processes can’t be seen or ended, and is once they can', async () => {
    const scene = await makeScene({ backend: createFakeBackend({ stop: 'nothing-ends' }) });
    const { records } = await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await forgetSidecar(records[0]?.statusSidecarPath ?? '');
    const unseen = await awaitRun(scene.context, { timeoutMs: 0 });
    expect([unseen.kind, unseen.running.map((record) => record.status)]).toEqual(['timed-out', ['launching']]);
    const there = { ...scene.context, backends: new Map([['cli-wrapper', createFakeBackend()] as const]) };
    expect((await awaitRun(there)).kind).toBe('settled');
    expect((await recordsOf(scene)).get('verifier-1 1')?.lifecycle?.end).toBe('lost');
  });
});
