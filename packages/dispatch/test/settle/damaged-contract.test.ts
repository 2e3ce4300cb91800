import { rm, writeFile } from 'node:fs/promises';
import { invocationPathOf } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, recordsOf } from '../support/scene.ts';

describe('settling an attempt whose stored contract', () => {
  it.each([
    ['was damaged', (path: string) => writeFile(path, '{"torn'), 'unverifiable: the document is damaged'],
    ['is gone', (path: string) => rm(path), 'has no stored contract'],
  ])('WP-6 %s ends it as an error that says so, and leaves nothing open', async (_, spoil, why) => {
    const backend = createFakeBackend({
      work: async (job) => {
        await handIn(job);
        return {};
      },
    });
    const scene = await makeScene({ backend });
    const { records } = await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    for (const { invocationRef } of records) await spoil(invocationPathOf(scene.context.layout, invocationRef));
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
    const settled = (await recordsOf(scene)).get('verifier-1 1');
    expect([settled?.status, settled?.reason]).toEqual(['error', expect.stringContaining(why)]);
  });
});
