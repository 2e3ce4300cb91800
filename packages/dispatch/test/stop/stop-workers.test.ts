import { listStopIntents } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch, interruptAttempts, stopWorkers } from '../../src/index.ts';
import { createFakeBackend, running } from '../support/fake-backend.ts';
import { makeScene, planFor, recordsOf, type Scene } from '../support/scene.ts';

async function runningScene(): Promise<{ readonly scene: Scene; readonly intentsAtStop: string[][] }> {
  const intentsAtStop: string[][] = [];
  const backend = createFakeBackend({ work: async (job) => running(job) });
  const scene: Scene = await makeScene({
    backend: {
      ...backend,
      stop: async (attempts, options) => {
        intentsAtStop.push((await listStopIntents(scene.context.layout)).map((intent) => intent.workerId));
        return backend.stop(attempts, options);
      },
    },
  });
  await dispatchBatch(scene.context, await planFor(scene, ['verifier-1', 'verifier-2']));
  return { scene, intentsAtStop };
}

const ENDED = { by: 'anna', graceMs: 0 };

describe('a stop', () => {
  it('AW-6 is durable before anything is signalled, and ends the named worker alone', async () => {
    const { scene, intentsAtStop } = await runningScene();
    const workerIds = scene.manifest.recommendedWorkers.filter((id) => id === 'verifier-2');
    const outcomes = await stopWorkers(scene.context, { ...ENDED, workerIds });
    expect(outcomes.map((outcome) => outcome.dispatchId)).toEqual([`${scene.manifest.runId}.verifier-2.1~1:attempt-1`]);
    expect(intentsAtStop).toEqual([['verifier-2']]);
  });

  it('AW-6 without names stops every worker of the run, those too that never ran', async () => {
    const { scene } = await runningScene();
    expect(await stopWorkers(scene.context, { ...ENDED, workerIds: [] })).toHaveLength(2);
    const intents = await listStopIntents(scene.context.layout);
    expect(intents.map((intent) => intent.workerId).sort()).toEqual([...scene.manifest.recommendedWorkers].sort());
    expect(intents.every((intent) => intent.by === 'anna')).toBe(true);
  });

  it('ST-9 of a worker that nobody watches over any more settles it as stopped, by whom, without a retry', async () => {
    const { scene } = await runningScene();
    await stopWorkers(scene.context, { ...ENDED, workerIds: [] });
    await awaitRun(scene.context);
    for (const record of (await recordsOf(scene)).values())
      expect([record.status, record.stoppedBy, record.retry]).toEqual(['stopped', 'anna', null]);
  });

  it('of an interrupt ends what is named, and leaves no lasting word', async () => {
    const { scene, intentsAtStop } = await runningScene();
    const records = [...(await recordsOf(scene)).values()].slice(0, 1);
    expect(await interruptAttempts(scene.context, records, { by: 'interrupt', graceMs: 0 })).toHaveLength(1);
    expect(intentsAtStop).toEqual([[]]);
  });
});
