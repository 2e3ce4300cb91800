import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createModelPool } from '@bailiwick/assignment-resolution';
import { readInvocation, recordPathOf, saveInvocation, writeStopIntent } from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { errorOf } from '../support/errors.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { filesOf } from '../support/files-of.ts';
import { eventsOf, handIn, makeScene, planFor, recordsOf, type Scene } from '../support/scene.ts';

/** Dispatches, expects a refusal, and that neither the run nor the project was touched and nothing was launched. */
async function refusalOf(scene: Scene, labels: readonly string[], changed: Partial<Scene['context']> = {}) {
  const plan = await planFor(scene, labels);
  const before = [await filesOf(scene.context.stateRoot), await filesOf(scene.manifest.projectRoot)];
  const error = await errorOf(() => dispatchBatch({ ...scene.context, ...changed }, plan));
  expect([await filesOf(scene.context.stateRoot), await filesOf(scene.manifest.projectRoot)]).toEqual(before);
  return error;
}

describe('a claim', () => {
  it('AW-6 of a stopped worker is refused by name, in any process, and writes nothing', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const [, participant] = scene.manifest.participants;
    if (participant === undefined) throw new Error('the sample run has verifiers');
    await writeStopIntent(scene.context.layout, {
      schemaVersion: '1.0',
      workerId: participant.workerId,
      by: 'anna',
      at: '2026-11-29T16:18:00.000Z',
    });
    const error = await refusalOf(scene, ['verifier-1', 'verifier-2']);
    expect(error).toMatchObject({ code: 'WORKER_STOPPED', names: ['verifier-1'] });
    expect(backend.orders).toEqual([]);
  });

  it('AR-3 whose binding no longer stands is refused before anything is written', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const error = await refusalOf(scene, ['verifier-1'], { pool: createModelPool([]) });
    expect(error).toMatchObject({ code: 'BINDING_NO_LONGER_STANDS' });
    expect(backend.orders).toEqual([]);
  });

  it('AR-3 is held against the manifest as it is on the disk now, not as the command has read it', async () => {
    const scene = await makeScene();
    const plan = await planFor(scene, ['verifier-1']);
    const { manifestPath } = scene.context.layout;
    const text = await readFile(manifestPath, 'utf8');
    const other = text.replaceAll('"executionLabel": "verifier-1"', '"executionLabel": "verifier-9"');
    expect(other).not.toBe(text);
    await writeFile(manifestPath, other);
    const error = await errorOf(() => dispatchBatch(scene.context, plan));
    expect(error).toMatchObject({
      code: 'BINDING_NO_LONGER_STANDS',
      details: { changed: [{ field: 'executionLabel', old: 'verifier-1', new: 'verifier-9' }] },
    });
    expect((await recordsOf(scene)).size).toBe(0);
  });

  it('AR-4 of one worker does not care about another provider that is gone', async () => {
    const scene = await makeScene();
    const providers = new Map(scene.context.environment.providers);
    providers.set('gemini', { providerId: 'gemini', installed: false, supported: true });
    const context = { ...scene.context, environment: { ...scene.context.environment, providers } };
    await dispatchBatch(context, await planFor(scene, ['verifier-1']));
    expect((await recordsOf(scene)).size).toBe(1);
  });

  it('WP-6 is refused where an invocation is stored with another contract, and claims no other job of the batch', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const other = await makeScene();
    const { jobs } = await planFor(other, ['verifier-2']);
    await dispatchBatch(other.context, { jobs, skipped: [] });
    const [job] = jobs;
    const stored =
      job === undefined ? undefined : await readInvocation(other.context.layout, job.metadata.invocationRef);
    if (stored === undefined) throw new Error('the other run stored it');
    await saveInvocation(scene.context.layout, { ...stored, inputDigest: digestOfBytes('another prompt') });
    const plan = await planFor(scene, ['verifier-1', 'verifier-2']);
    expect(await errorOf(() => dispatchBatch(scene.context, plan))).toMatchObject({ code: 'INVOCATION_DIFFERS' });
    expect((await recordsOf(scene)).size).toBe(0);
    expect(backend.orders).toEqual([]);
  });

  it('BA-6 of an attempt that is claimed is refused by its name, and its batch claims nothing', async () => {
    const scene = await makeScene();
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    const error = await refusalOf(scene, ['verifier-1', 'verifier-2']);
    expect(error).toMatchObject({
      code: 'ATTEMPT_ALREADY_CLAIMED',
      names: [`${scene.manifest.runId}.verifier-1.1~1:attempt-1`],
    });
  });

  it('BA-6 of two at once wins one, and the attempt is launched once', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['verifier-1']);
    const both = await Promise.allSettled([1, 2].map(() => dispatchBatch(scene.context, plan)));
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(backend.orders).toHaveLength(1);
  });

  it('BA-3 that fails half-way settles what it has claimed, and launches nothing', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['verifier-1', 'verifier-2']);
    const second = plan.jobs[1]?.dispatchId;
    if (second === undefined) throw new Error('two jobs were planned');
    // The clock is read after the check for claims: what lies in the second record's place then is found only by its claim.
    const now = () => {
      mkdirSync(recordPathOf(scene.context.layout, second), { recursive: true });
      return new Date();
    };
    const error = await errorOf(() => dispatchBatch({ ...scene.context, now }, plan));
    expect(error).toMatchObject({ code: 'BATCH_ABORTED' });
    expect(backend.orders).toEqual([]);
    expect(await eventsOf(scene)).toEqual(['verifier-1 1 worker-failed']);
  });

  it('PL-1 notes who was left aside only when it is accepted', async () => {
    const scene = await makeScene({
      backend: createFakeBackend({
        work: async (job) => {
          await handIn(job);
          return {};
        },
      }),
    });
    const skipped = [{ workerId: scene.manifest.recommendedWorkers[0] ?? fail(), reason: 'left aside' }];
    const plan = { ...(await planFor(scene, ['verifier-1'])), skipped };
    await errorOf(() => dispatchBatch({ ...scene.context, pool: createModelPool([]) }, plan));
    expect(Object.keys(await filesOf(scene.context.stateRoot)).some((path) => path.endsWith('selections.jsonl'))).toBe(
      false,
    );
    await dispatchBatch(scene.context, plan);
    expect(Object.keys(await filesOf(scene.context.stateRoot)).some((path) => path.endsWith('selections.jsonl'))).toBe(
      true,
    );
    expect((await awaitRun(scene.context)).kind).toBe('settled');
  });
});

function fail(): never {
  throw new Error('the sample run has a roster');
}
