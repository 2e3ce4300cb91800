import { mkdir, rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { createUnsignedSealer, expectedSealOf, verifyRunSeals } from '@bailiwick/attempt-evidence';
import { openMarkerOf, readAllRecords, recordPathOf, writeRecord } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { NOT_SETTLED } from '../../src/launch/draft-record.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, recordsOf, type Scene, type SceneOptions } from '../support/scene.ts';

async function settled(labels: readonly string[], o: SceneOptions = {}): Promise<Scene> {
  const backend = createFakeBackend({
    work: async (job) => {
      if (job.dispatchId.includes('verifier')) await handIn(job);
      return {};
    },
  });
  const scene = await makeScene({ backend, ...o });
  await dispatchBatch(scene.context, await planFor(scene, labels));
  await awaitRun(scene.context);
  return scene;
}

async function verified({ context: { layout } }: Scene) {
  const records = await readAllRecords(layout);
  return verifyRunSeals({
    runDirectory: layout.runDirectory,
    publicKeys: [],
    acceptUnsigned: true,
    expected: records.map((record) =>
      expectedSealOf(record, {
        recordFile: relative(layout.runDirectory, recordPathOf(layout, record.dispatchId)),
        unsealedReason: record.evidence?.reason ?? null,
      }),
    ),
  });
}

describe('a settled attempt', () => {
  it('EV-3 is sealed with the bytes of its record, whatever became of it, and names its seal', async () => {
    const scene = await settled(['verifier-1', 'verifier-2']);
    const { differences, seals } = await verified(scene);
    const records = [...(await recordsOf(scene)).values()];
    expect([differences, seals]).toEqual([[], records.length]);
    for (const { evidence, invocationRef, attempt } of records)
      expect(evidence).toEqual({ sealRef: `${invocationRef}:seal-${attempt}`, reason: null });
  });

  it('ID-5 EV-3 and its retry are sealed each by itself, keyed by the one invocation and their attempts', async () => {
    const backend = createFakeBackend({
      work: async (job) => {
        if (job.dispatchId.endsWith('attempt-2')) await handIn(job);
        return {};
      },
    });
    const scene = await settled(['verifier-2'], { backend });
    const records = [...(await recordsOf(scene)).values()];
    const [ref] = records.map(({ invocationRef }) => invocationRef);
    expect(new Set(records.map(({ evidence }) => evidence?.sealRef))).toEqual(
      new Set([`${ref}:seal-1`, `${ref}:seal-2`]),
    );
    expect(await verified(scene)).toMatchObject({ differences: [], seals: 2, superseded: 0 });
  });

  it('EV-3 that can’t be sealed keeps its result and says why', async () => {
    const sealer = async () => Promise.reject(new Error('the key is gone'));
    const scene = await settled(['verifier-1'], { context: { sealer } });
    const record = (await recordsOf(scene)).get('verifier-1 1');
    expect([record?.status, record?.evidence]).toEqual(['completed', { sealRef: null, reason: 'the key is gone' }]);
    expect((await verified(scene)).differences.map(({ code }) => code)).toEqual(['attempt-unsealed']);
  });

  it('EV-3 ST-4 whose settlement was cut off between seal and record is settled anew, and the chain stays whole', async () => {
    const scene = await settled(['verifier-1']);
    const { layout } = scene.context;
    const record = (await recordsOf(scene)).get('verifier-1 1') ?? fail();
    await writeRecord(layout, { ...record, ...NOT_SETTLED, status: 'launching', reason: '' });
    await writeFile(openMarkerOf(layout, record.dispatchId), '');
    expect((await verified(scene)).differences.map(({ code }) => code)).toContain('attempt-unsettled');
    await awaitRun(scene.context);
    const { differences, superseded, seals } = await verified(scene);
    expect([differences, superseded, seals]).toEqual([[], 1, 2]);
  });

  it('EV-3 is settled where something stands in the way of its seal', async () => {
    const sealer = async () => createUnsignedSealer({ reason: 'a test' });
    const backend = createFakeBackend({
      work: async (job) => {
        await handIn(job);
        return {};
      },
    });
    const scene = await makeScene({ backend, context: { sealer } });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await mkdir(`${scene.context.layout.runDirectory}/seals/head.json`, { recursive: true });
    await awaitRun(scene.context);
    const record = (await recordsOf(scene)).get('verifier-1 1');
    expect([record?.status, record?.evidence?.sealRef]).toEqual(['completed', null]);
    await rm(`${scene.context.layout.runDirectory}/seals`, { recursive: true });
  });
});

function fail(): never {
  throw new Error('the sample run has it');
}
