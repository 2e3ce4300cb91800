import { lstat } from 'node:fs/promises';
import { batchLockPathOf, invocationPathOf, readRecord, recordPathOf } from '@bailiwick/dispatch-state';
import { isLocked } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { makeScene, planFor } from '../support/scene.ts';

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

describe('the order of a launch', () => {
  it('BA-2 has invocation, record, drop box and baseline durable before the backend is asked, under the launch lock', async () => {
    const inner = createFakeBackend();
    const seen: unknown[] = [];
    const backend: typeof inner = {
      ...inner,
      orders: inner.orders,
      stops: inner.stops,
      launch: async (order, options) => {
        for (const { dispatchId } of order.jobs) {
          const record = await readRecord(scene.context.layout, dispatchId);
          if (record === undefined) throw new Error('no record when the backend was asked');
          seen.push({
            status: record.status,
            invocation: await isThere(invocationPathOf(scene.context.layout, record.invocationRef)),
            record: await isThere(recordPathOf(scene.context.layout, dispatchId)),
            dropBox: await isThere(record.dropBoxPath),
            baseline: await isThere(record.mutationAuditSnapshotPath ?? ''),
            launchLock: isLocked(batchLockPathOf(scene.context.layout, record.batchId, 'launch')),
          });
        }
        return inner.launch(order, options);
      },
    };
    const scene = await makeScene({ backend });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1', 'verifier-2']));
    const whole = {
      status: 'launching',
      invocation: true,
      record: true,
      dropBox: true,
      baseline: true,
      launchLock: true,
    };
    expect(seen).toEqual([whole, whole]);
  });
});
