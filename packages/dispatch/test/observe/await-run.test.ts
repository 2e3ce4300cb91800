import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { batchLockPathOf, openMarkerOf, recordPathOf, requireRecord } from '@bailiwick/dispatch-state';
import { claimFile, tryLock } from '@bailiwick/durable-files';
import { buildDispatchId, parseInvocationId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch, type LaunchedBatch, type Progress } from '../../src/index.ts';
import { createFakeBackend, forgetSidecar, running } from '../support/fake-backend.ts';
import { eventsOf, handIn, makeScene, planFor, recordsOf, type Scene } from '../support/scene.ts';

const working = () =>
  createFakeBackend({
    work: async (job) => {
      await handIn(job);
      return {};
    },
  });

async function dispatch(scene: Scene, ...labels: string[]): Promise<LaunchedBatch> {
  return dispatchBatch(scene.context, await planFor(scene, labels));
}

async function openMarkers({ context }: Scene): Promise<readonly string[]> {
  return readdir(context.layout.openFolder);
}

describe('awaiting a run', () => {
  it('AW-1 settles what another process launched, from what is on disk alone, and leaves nothing open', async () => {
    const scene = await makeScene({ backend: working() });
    await dispatch(scene, 'verifier-1', 'verifier-2');
    const other = { ...scene.context, backends: new Map([['cli-wrapper', createFakeBackend()] as const]) };
    expect(await awaitRun(other)).toEqual({ kind: 'settled', running: [], failures: [] });
    const records = [...(await recordsOf(scene)).values()];
    expect(records.map(({ status, reason, result }) => [status, reason, result?.isTaken])).toEqual([
      ['completed', '', true],
      ['completed', '', true],
    ]);
    expect(await openMarkers(scene)).toEqual([]);
  });

  it('MA-10 charges no worker with what one of another batch wrote that was settled meanwhile', async () => {
    const backend = createFakeBackend({
      work: async (job) => {
        // A dispatch, from start to settled record, within the life of the first worker.
        if (job.dispatchId.includes('verifier-1')) {
          await dispatch(scene, 'verifier-2');
          await awaitRun(scene.context, { timeoutMs: 1 });
        }
        await handIn(job);
        return {};
      },
    });
    const scene = await makeScene({ backend });
    await dispatch(scene, 'verifier-1');
    const settledFirst = [...(await recordsOf(scene)).values()].filter(({ finishedAt }) => finishedAt !== null);
    expect(settledFirst.map(({ executionLabel }) => executionLabel)).toEqual(['verifier-2']);
    await awaitRun(scene.context);
    const records = [...(await recordsOf(scene)).values()];
    expect(records.map(({ status, reason }) => [status, reason])).toEqual([
      ['completed', ''],
      ['completed', ''],
    ]);
  });

  it('AW-4 settles an attempt whose supervisor died as lost, after what is left of it was ended', async () => {
    const backend = working();
    const progress: string[] = [];
    const scene = await makeScene({
      backend,
      context: { onProgress: ({ kind, record }: Progress) => progress.push(`${record.executionLabel} ${kind}`) },
    });
    const { records } = await dispatch(scene, 'verifier-1');
    await forgetSidecar(records[0]?.statusSidecarPath ?? '');
    await awaitRun(scene.context);
    const settled = (await recordsOf(scene)).get('verifier-1 1');
    expect([settled?.status, settled?.lifecycle?.end, settled?.reason]).toEqual([
      'error',
      'lost',
      expect.stringContaining('lost'),
    ]);
    expect(backend.stops.map(({ options }) => options.by)).toEqual(['lost']);
    expect(progress).toEqual(['verifier-1 launched', 'verifier-1 lost', 'verifier-1 settled']);
  });

  it('AW-4 keeps the terminal word of one worker where the supervisor died before the other’s', async () => {
    const scene = await makeScene({ backend: working() });
    const { records } = await dispatch(scene, 'verifier-1', 'verifier-2');
    await forgetSidecar(records[1]?.statusSidecarPath ?? '');
    await awaitRun(scene.context);
    const settled = await recordsOf(scene);
    expect([settled.get('verifier-1 1')?.status, settled.get('verifier-2 1')?.lifecycle?.end]).toEqual([
      'completed',
      'lost',
    ]);
  });

  it('AW-3 leaves a batch alone that its owner lives for, and names what runs when its time is up', async () => {
    const scene = await makeScene({ backend: createFakeBackend({ work: async (job) => running(job) }) });
    const { batchId } = await dispatch(scene, 'verifier-1');
    const live = tryLock(batchLockPathOf(scene.context.layout, batchId, 'live'));
    const report = await awaitRun(scene.context, { timeoutMs: 1 });
    live?.release();
    expect([report.kind, report.running.map((record) => record.executionLabel)]).toEqual(['timed-out', ['verifier-1']]);
    expect((await recordsOf(scene)).get('verifier-1 1')?.status).toBe('launching');
  });

  it('AW-3 lets go when it is told to, and names what runs', async () => {
    const scene = await makeScene({ backend: createFakeBackend({ work: async (job) => running(job) }) });
    const { batchId } = await dispatch(scene, 'verifier-1');
    const live = tryLock(batchLockPathOf(scene.context.layout, batchId, 'live'));
    const report = await awaitRun(scene.context, { signal: AbortSignal.abort() });
    live?.release();
    expect([report.kind, report.running.length]).toEqual(['detached', 1]);
  });

  it('AW-3 settles the other batches when a record can’t be read, and says which could not be settled', async () => {
    const scene = await makeScene({ backend: working() });
    const { records } = await dispatch(scene, 'verifier-1');
    await dispatch(scene, 'verifier-2');
    await writeFile(recordPathOf(scene.context.layout, records[0]?.dispatchId ?? fail()), '{"torn');
    const report = await awaitRun(scene.context);
    expect(report).toMatchObject({
      kind: 'settled',
      running: [],
      failures: [{ batchId: null, error: { code: 'DOCUMENT_DAMAGED' } }],
    });
    const second = buildDispatchId(parseInvocationId(`${scene.manifest.runId}.verifier-2.1~1`), 1);
    expect((await requireRecord(scene.context.layout, second)).status).toBe('completed');
  });

  it('AW-3 settles the other batches when a sidecar can’t be read, and names the batch that is left', async () => {
    const scene = await makeScene({ backend: working() });
    const { batchId, records } = await dispatch(scene, 'verifier-1');
    await dispatch(scene, 'verifier-2');
    await writeFile(records[0]?.statusSidecarPath ?? '', '{"torn');
    const report = await awaitRun(scene.context);
    expect(report.failures).toMatchObject([{ batchId, error: { code: 'DOCUMENT_DAMAGED' } }]);
    const settled = await recordsOf(scene);
    expect([settled.get('verifier-1 1')?.status, settled.get('verifier-2 1')?.status]).toEqual([
      'launching',
      'completed',
    ]);
  });

  it('AW-3 says again and again that the record of a worker that was started is gone, and settles the other batches', async () => {
    const scene = await makeScene({ backend: working() });
    const { records } = await dispatch(scene, 'verifier-1');
    await dispatch(scene, 'verifier-2');
    const path = recordPathOf(scene.context.layout, records[0]?.dispatchId ?? fail());
    await rm(path);
    for (const _ of ['first', 'again']) {
      const { failures } = await awaitRun(scene.context);
      expect(failures).toMatchObject([{ batchId: null, error: { code: 'FILE_MISSING', path } }]);
    }
    expect([...(await recordsOf(scene)).keys()]).toEqual(['verifier-2 1']);
    expect((await openMarkers(scene)).length).toBe(1);
  });

  it('AW-3 settles the other jobs of a batch when one of them can’t be', async () => {
    const scene = await makeScene({ backend: working() });
    const { batchId, records } = await dispatch(scene, 'verifier-1', 'verifier-2');
    const first = records[0]?.dispatchId ?? fail();
    const results = `${scene.context.layout.resultsFolder}/${basename(openMarkerOf(scene.context.layout, first))}`;
    await writeFile(results, 'a file where the folder of its results has to be');
    const report = await awaitRun(scene.context);
    expect(report.failures.map((failure) => failure.batchId)).toEqual([batchId]);
    const settled = await recordsOf(scene);
    expect([settled.get('verifier-1 1')?.status, settled.get('verifier-2 1')?.status]).toEqual([
      'launching',
      'completed',
    ]);
    await rm(results);
    expect((await awaitRun(scene.context)).failures).toEqual([]);
    expect((await recordsOf(scene)).get('verifier-1 1')?.status).toBe('completed');
  });

  it('AW-5 several at once settle each attempt once, with one event each', async () => {
    const scene = await makeScene({ backend: working() });
    await dispatch(scene, 'verifier-1', 'verifier-2');
    const reports = await Promise.all([1, 2, 3].map(() => awaitRun(scene.context)));
    expect(reports.map(({ kind, failures }) => [kind, failures])).toEqual(Array(3).fill(['settled', []]));
    const events = await eventsOf(scene);
    expect([...events].sort()).toEqual([
      'verifier-1 1 worker-dispatched',
      'verifier-1 1 worker-result-collected',
      'verifier-2 1 worker-dispatched',
      'verifier-2 1 worker-result-collected',
    ]);
  });

  it('drops the marker of a claim that was killed before its record', async () => {
    const scene = await makeScene();
    const id = buildDispatchId(parseInvocationId('i~1'), 1);
    await claimFile(openMarkerOf(scene.context.layout, id));
    expect((await awaitRun(scene.context)).kind).toBe('settled');
    expect(await openMarkers(scene)).toEqual([]);
  });

  it('MA-7 ends an attempt as unverifiable when its baseline is gone, and goes on with the others', async () => {
    const scene = await makeScene({ backend: working() });
    const { records } = await dispatch(scene, 'verifier-1');
    await dispatch(scene, 'verifier-2');
    await rm(records[0]?.mutationAuditSnapshotPath ?? '');
    await awaitRun(scene.context);
    const settled = await recordsOf(scene);
    expect(settled.get('verifier-1 1')).toMatchObject({
      status: 'error',
      contract: { audit: { status: 'unverifiable' } },
    });
    expect(settled.get('verifier-2 1')?.status).toBe('completed');
  });
});

function fail(): never {
  throw new Error('a batch has records');
}
