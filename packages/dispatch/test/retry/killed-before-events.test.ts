import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readErrorRows } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { eventsOf, handIn, makeScene, planFor } from '../support/scene.ts';

describe('a decided retry', () => {
  it('ST-4 RT-4 whose settlement was cut off before its events has them once it is launched by the next await', async () => {
    const backend = createFakeBackend({
      work: async (job) => {
        if (job.dispatchId.endsWith('attempt-2')) await handIn(job);
        return {};
      },
    });
    const scene = await makeScene({ backend });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-2']));
    const cutOff = { ...scene.context, now: () => nowUntilSettled(scene.context.layout.dispatchesFolder) };
    expect((await awaitRun(cutOff)).failures).toHaveLength(1);
    expect(await eventsOf(scene)).toEqual(['verifier-2 1 worker-dispatched']);
    await awaitRun(scene.context);
    expect(await eventsOf(scene)).toEqual([
      'verifier-2 1 worker-dispatched',
      'verifier-2 1 worker-failed',
      'verifier-2 1 worker-retry-scheduled',
      'verifier-2 2 worker-dispatched',
      'verifier-2 2 worker-result-collected',
    ]);
    expect(await readErrorRows(scene.context.layout.errorLogPath)).toHaveLength(1);
  });
});

/** Events carry the time: whoever can't tell it any more once the record is terminal gets no further, as if killed there. */
function nowUntilSettled(folder: string): Date {
  const records = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const isSettled = records.some((name) => readFileSync(join(folder, name), 'utf8').includes('"status": "error"'));
  if (isSettled) throw new Error('cut off');
  return new Date();
}
