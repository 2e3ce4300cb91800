import { describe, expect, it } from 'vitest';
import { dispatchBatch, dryRun } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { makeScene, planFor } from '../support/scene.ts';

describe('a run that demands a source for the served model', () => {
  it('AR-10 refuses a provider that cannot reach it before anything is started or written', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['verifier-1']);
    const context = { ...scene.context, minimumModelSource: 'stream' as const };
    expect(await codeOf(() => dryRun(context, plan))).toBe('SERVED_MODEL_SOURCE_UNREACHABLE');
    expect(await codeOf(() => dispatchBatch(context, plan))).toBe('SERVED_MODEL_SOURCE_UNREACHABLE');
    expect(backend.orders).toEqual([]);
  });

  it('AR-10 lets through what reaches it, and tells the supervisor', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const context = { ...scene.context, minimumModelSource: 'stream' as const };
    await dispatchBatch(context, await planFor(scene, ['implementer']));
    expect(backend.orders.flatMap((order) => order.jobs.map((job) => job.servedModel.minimumSource))).toEqual([
      'stream',
    ]);
  });
});
