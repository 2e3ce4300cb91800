import { rm, writeFile } from 'node:fs/promises';
import { invocationPathOf } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, recordsOf } from '../support/scene.ts';

const working = () =>
  createFakeBackend({
    work: async (job) => {
      await handIn(job);
      return {};
    },
  });

describe('settling an attempt whose stored contract', () => {
  it.each([
    ['was damaged', (path: string) => writeFile(path, '{"torn'), 'unverifiable: the document is damaged'],
    ['is gone', (path: string) => rm(path), 'has no stored contract'],
  ])('WP-6 %s ends it as an error that says so, and leaves nothing open', async (_, spoil, why) => {
    const scene = await makeScene({ backend: working() });
    const { records } = await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    for (const { invocationRef } of records) await spoil(invocationPathOf(scene.context.layout, invocationRef));
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
    const settled = (await recordsOf(scene)).get('verifier-1 1');
    expect([settled?.status, settled?.reason]).toEqual(['error', expect.stringContaining(why)]);
  });
});

it('AW-3 settles a batch beside another whose stored contract was damaged, and says that what that one wrote may be somebody else’s', async () => {
  const scene = await makeScene({ backend: working() });
  const first = await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
  const other = await dispatchBatch(scene.context, await planFor(scene, ['verifier-2']));
  for (const { invocationRef } of other.records)
    await writeFile(invocationPathOf(scene.context.layout, invocationRef), '{"torn');
  const report = await awaitRun(scene.context, { batchIds: new Set([first.batchId]) });
  expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
  const settled = await recordsOf(scene);
  const [own, neighbour] = ['verifier-1 1', 'verifier-2 1'].map((label) => settled.get(label));
  // What the neighbour might write isn't known any more: its own drop box is nobody's.
  expect([own?.reason, neighbour?.status]).toEqual([expect.stringContaining('someone outside the batch'), 'launching']);
});
