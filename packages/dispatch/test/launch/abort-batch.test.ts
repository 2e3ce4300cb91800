import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch, isDispatchError } from '../../src/index.ts';
import { errorOf } from '../support/errors.ts';
import { createFakeBackend, type FakeBackendOptions, running } from '../support/fake-backend.ts';
import { eventsOf, handIn, makeScene, planFor, recordsOf, type Scene } from '../support/scene.ts';

const WORKS: FakeBackendOptions = {
  work: async (job) => {
    await handIn(job);
    return {};
  },
};

/** Dispatches two verifiers, and gives the error that the launch ends with. */
async function abortOf(scene: Scene) {
  const plan = await planFor(scene, ['verifier-1', 'verifier-2']);
  const error = await errorOf(() => dispatchBatch(scene.context, plan));
  if (!isDispatchError(error)) throw error;
  return error;
}

async function statusesOf(scene: Scene) {
  return Object.fromEntries([...(await recordsOf(scene))].map(([key, record]) => [key, record.status]));
}

describe('a launch that fails', () => {
  it.each([
    ['before a supervisor came up', 'before-ready', /no supervisor came up/],
    ['after the supervisor took over', 'after-ready', /the supervisor went away/],
    ['when one of two workers runs', 'half-started', /the supervisor died half-way/],
    ['for the last worker alone', 'last-not-started', /verifier-2.*no such program/],
  ] as const)(
    'BA-3 %s settles every job as an error with that as its reason and one worker-failed event',
    async (_, fault, words) => {
      const backend = createFakeBackend({ ...WORKS, fault });
      const scene = await makeScene({ backend });
      const error = await abortOf(scene);
      expect(error.code).toBe('BATCH_ABORTED');
      expect(error.message).toMatch(words);
      const records = [...(await recordsOf(scene)).values()];
      expect(records.map((record) => record.status)).toEqual(['error', 'error']);
      for (const record of records) {
        expect(record.reason).toMatch(words);
        expect(record.retry).toBeNull();
        expect(record.result?.isTaken).toBe(false);
      }
      const failed = (await eventsOf(scene)).filter((event) => event.endsWith('worker-failed'));
      expect(failed.sort()).toEqual(['verifier-1 1 worker-failed', 'verifier-2 1 worker-failed']);
    },
  );

  it('BA-3 ends every worker of the round, and only then compares the tree', async () => {
    const backend = createFakeBackend({ ...WORKS, fault: 'half-started' });
    const scene = await makeScene({ backend });
    await abortOf(scene);
    expect(backend.stops).toHaveLength(1);
    expect(backend.stops[0]?.attempts.map((attempt) => attempt.process === null)).toEqual([false, true]);
    const first = (await recordsOf(scene)).get('verifier-1 1');
    expect(first?.contract?.audit?.status).toBe('ok');
  });

  it('BA-3 adds a breach to the reason', async () => {
    const scene: Scene = await makeScene({
      backend: createFakeBackend({
        fault: 'half-started',
        work: async () => {
          await writeFile(scene.sourcePath, 'export const total = 2;\n');
          return {};
        },
      }),
    });
    await abortOf(scene);
    const first = (await recordsOf(scene)).get('verifier-1 1');
    expect(first?.reason).toMatch(/the supervisor died half-way.*src\/cart\.js/s);
  });

  it('BA-3 at the drop boxes is settled without an audit, since nothing was started', async () => {
    const scene = await makeScene();
    const plan = await planFor(scene, ['verifier-1', 'verifier-2']);
    await mkdir(plan.jobs[0]?.dropBoxPath ?? '', { recursive: true });
    await writeFile(plan.jobs[0]?.resultPath ?? '', 'of an earlier attempt');
    await writeFile(join(scene.context.layout.runDirectory, 'leftovers'), 'a file where a folder has to be');
    expect((await abortOf(scene)).code).toBe('BATCH_ABORTED');
    const records = [...(await recordsOf(scene)).values()];
    expect(records.map((record) => [record.status, record.contract?.audit ?? null])).toEqual([
      ['error', null],
      ['error', null],
    ]);
  });

  it('BA-3 at the snapshot is settled without an audit, since nothing was started', async () => {
    const backend = createFakeBackend();
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['verifier-1']);
    await rm(scene.context.layout.snapshotsFolder, { recursive: true });
    await writeFile(scene.context.layout.snapshotsFolder, 'a file where a folder has to be');
    expect(await errorOf(() => dispatchBatch(scene.context, plan))).toMatchObject({ code: 'BATCH_ABORTED' });
    expect(backend.orders).toEqual([]);
    expect(await statusesOf(scene)).toEqual({ 'verifier-1 1': 'error' });
    expect(await eventsOf(scene)).toEqual(['verifier-1 1 worker-failed']);
  });

  it('BA-3 at the event ends the workers and leaves no attempt as if it ran', async () => {
    const backend = createFakeBackend(WORKS);
    const scene = await makeScene({ backend });
    const plan = await planFor(scene, ['verifier-1']);
    await mkdir(scene.context.layout.eventLogPath);
    expect(await errorOf(() => dispatchBatch(scene.context, plan))).toMatchObject({ code: 'BATCH_ABORTED' });
    expect(backend.stops).toHaveLength(1);
    await rm(scene.context.layout.eventLogPath, { recursive: true });
    expect((await awaitRun(scene.context)).kind).toBe('settled');
    expect(await statusesOf(scene)).toEqual({ 'verifier-1 1': 'error' });
    expect(await eventsOf(scene)).toEqual(['verifier-1 1 worker-dispatched', 'verifier-1 1 worker-failed']);
  });

  it('BA-3 of one backend waits for the other one’s answer before anything is ended', async () => {
    const pane = createFakeBackend({ kind: 'cmux-pane', fault: 'before-ready' });
    const order: string[] = [];
    const wrapper = createFakeBackend({
      work: async (job) => {
        await handIn(job);
        order.push('started');
        return {};
      },
    });
    const stop = wrapper.stop.bind(wrapper);
    const watched = {
      ...wrapper,
      stop: (...args: Parameters<typeof stop>) => stop(...args).finally(() => order.push('stopped')),
    };
    const scene = await makeScene({
      context: {
        backends: new Map([
          ['cli-wrapper', watched],
          ['cmux-pane', pane],
        ]),
      },
    });
    const both = [await planFor(scene, ['verifier-1']), await planFor(scene, ['verifier-2'], 'cmux-pane')];
    const plan = { jobs: both.flatMap(({ jobs }) => jobs), skipped: [] };
    expect(await errorOf(() => dispatchBatch(scene.context, plan))).toMatchObject({ code: 'BATCH_ABORTED' });
    expect(order).toEqual(['started', 'stopped']);
    expect(await statusesOf(scene)).toEqual({ 'verifier-1 1': 'error', 'verifier-2 1': 'error' });
  });

  it.each(['nothing-ends', 'throws'] as const)(
    'BA-3 settles nothing under a worker that may live on (stop: %s); it stays open and the error says so',
    async (stop) => {
      const backend = createFakeBackend({ work: async (job) => running(job), fault: 'last-not-started', stop });
      const scene = await makeScene({ backend });
      const error = await abortOf(scene);
      expect(error.message).toMatch(/no such program.*(not ended: |could not be ended: )/);
      expect(error.hint).toContain('team await');
      expect(await statusesOf(scene)).toEqual({ 'verifier-1 1': 'launching', 'verifier-2 1': 'launching' });
    },
  );

  it('BA-3 leaves the attempts of earlier batches as they were settled', async () => {
    const scene = await makeScene({ backend: createFakeBackend(WORKS) });
    await dispatchBatch(scene.context, await planFor(scene, ['implementer']));
    await awaitRun(scene.context);
    const broken = createFakeBackend({ fault: 'before-ready' });
    const context = { ...scene.context, backends: new Map([[broken.kind, broken]]) };
    await abortOf({ ...scene, context });
    expect(await statusesOf(scene)).toEqual({
      'implementer 1': 'completed',
      'verifier-1 1': 'error',
      'verifier-2 1': 'error',
    });
  });
});
