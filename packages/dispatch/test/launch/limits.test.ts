import type { StatusSidecar } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch, dryRun } from '../../src/index.ts';
import { errorOf } from '../support/errors.ts';
import { createFakeBackend, type Work } from '../support/fake-backend.ts';
import { filesOf } from '../support/files-of.ts';
import { eventsOf, handIn, makeScene, planFor, recordsOf } from '../support/scene.ts';

const NOTHING_SAID = { inputTokens: 'unknown', outputTokens: 'unknown', cachedInputTokens: 'unknown' } as const;

function costing(costUsd: number | 'unknown'): Partial<StatusSidecar> {
  return { usage: { ...NOTHING_SAID, costUsd } };
}

/** Hands in what it owes, and says that it cost this. */
const handsIn =
  (costUsd: number | 'unknown'): Work =>
  async (job) => {
    await handIn(job);
    return costing(costUsd);
  };

describe('a limit on cost', () => {
  it('that is reached refuses any further dispatch by code, dry or not, and writes nothing', async () => {
    const backend = createFakeBackend({ work: handsIn(0.75) });
    const { context, ...scene } = await makeScene({ backend });
    const limited = { ...context, maxCostUsd: 0.75 };
    await dispatchBatch(limited, await planFor({ context, ...scene }, ['verifier-1']));
    await awaitRun(limited);
    const plan = await planFor({ context, ...scene }, ['verifier-2']);
    const before = await filesOf(context.stateRoot);
    for (const attempt of [() => dryRun(limited, plan), () => dispatchBatch(limited, plan)])
      expect(await errorOf(attempt)).toMatchObject({
        code: 'COST_LIMIT_REACHED',
        message: expect.stringContaining('0.75 USD are spent'),
        hint: expect.stringContaining('--max-cost'),
      });
    expect(await filesOf(context.stateRoot)).toEqual(before);
    expect(backend.orders).toHaveLength(1);
    await dispatchBatch({ ...context, maxCostUsd: 0.76 }, plan);
    expect(backend.orders).toHaveLength(2);
  });

  it('is not reached by what nobody says', async () => {
    const backend = createFakeBackend({ work: handsIn('unknown') });
    const scene = await makeScene({ backend, context: { maxCostUsd: 0.01 } });
    for (const worker of ['verifier-1', 'verifier-2']) {
      await dispatchBatch(scene.context, await planFor(scene, [worker]));
      await awaitRun(scene.context);
    }
    expect(backend.orders).toHaveLength(2);
  });

  it('RT-4 that a failed attempt reaches withholds the retry that was decided: it ends as stopped, with the limit as its reason', async () => {
    const backend = createFakeBackend({ work: async () => costing(2) });
    const scene = await makeScene({ backend, context: { maxCostUsd: 1.5 } });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-2']));
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
    const records = await recordsOf(scene);
    const [first, second] = [records.get('verifier-2 1'), records.get('verifier-2 2')];
    const reason = 'stopped by the cost limit of 1.5 USD: 2 USD are spent';
    expect(first?.retry?.successor).toBe(second?.dispatchId);
    expect(second).toMatchObject({ status: 'stopped', reason, stoppedBy: reason, lifecycle: { end: 'stopped' } });
    expect(backend.orders).toHaveLength(1);
    expect((await eventsOf(scene)).slice(-1)).toEqual(['verifier-2 2 worker-failed']);
  });

  it('is told to the supervisor, with what was spent before and where the batch will say what it cost', async () => {
    const backend = createFakeBackend({ work: handsIn(0.25) });
    const scene = await makeScene({ backend, context: { maxCostUsd: 1 } });
    for (const worker of ['verifier-1', 'verifier-2']) {
      await dispatchBatch(scene.context, await planFor(scene, [worker]));
      await awaitRun(scene.context);
    }
    expect(backend.orders.map((order) => order.costLimit)).toEqual(
      [0, 0.25].map((spentUsd, at) => ({
        maxUsd: 1,
        spentUsd,
        sidecarPaths: [backend.orders[at]?.jobs[0]?.sidecarPath],
      })),
    );
  });
});

describe('a limit on the workers of one provider', () => {
  it('is told to the supervisor, and absent where nobody set one', async () => {
    const backend = createFakeBackend({ work: handsIn('unknown') });
    const scene = await makeScene({ backend, context: { maxConcurrentByProvider: { codex: 1 } } });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await awaitRun(scene.context);
    await dispatchBatch({ ...scene.context, maxConcurrentByProvider: {} }, await planFor(scene, ['verifier-2']));
    expect(backend.orders.map((order) => order.providerLimits)).toEqual([
      [{ provider: 'codex', maxConcurrent: 1 }],
      undefined,
    ]);
  });
});
