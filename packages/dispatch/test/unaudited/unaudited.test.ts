import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  projectTeamState,
  readAllRecords,
  readLeadEvents,
  readUnaudited,
  readUnauditedErrors,
  readUnauditedEvents,
  type UnauditedRecord,
} from '@bailiwick/dispatch-state';
import { digestOfBytes } from '@bailiwick/durable-files';
import { metadataPathOf, parseInvocationId, parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  awaitRun,
  dispatchBatch,
  dispatchUnaudited,
  dropBoxOf,
  generationOf,
  interruptUnaudited,
  planUnaudited,
} from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { createFakeBackend, forgetSidecar, type Work } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, type Scene, writePrompt } from '../support/scene.ts';

const REFS = ['participantRef', 'roleExecutionRef', 'invocationRef', 'executionLabel', 'dutyId'];

const handsIn =
  (more: Awaited<ReturnType<Work>> = {}): Work =>
  async (job) => {
    await handIn(job);
    return more;
  };

const sceneWith = (work: Work = handsIn()): Promise<Scene> => makeScene({ backend: createFakeBackend({ work }) });

/** Puts a prompt with v1 metadata into a run, for a worker that may be somebody else's. */
async function oldPrompt(
  scene: Scene,
  o: { worker?: string; metadata?: Readonly<Record<string, unknown>> } = {},
): Promise<string> {
  const worker = o.worker ?? 'implementer';
  const invocationId = parseInvocationId(`old-${worker}`);
  const box = dropBoxOf(scene.manifest.projectRoot, invocationId);
  const text = [
    '**Role:** implementer',
    '**Task:** Fix the cart',
    '**Model:** whatever',
    `**Result Path:** ${join(box, 'result.json')}`,
    `**Worker Result Path:** ${join(box, 'worker-result.md')}`,
    '',
  ].join('\n');
  const promptPath = join(scene.context.layout.promptsFolder, `old-${worker}.md`);
  await writeFile(promptPath, text);
  const metadata = {
    schemaVersion: 1,
    invocationId,
    audience: worker.startsWith('verifier') ? 'implementation-verifier' : 'implementation-executor',
    assignmentRef: worker,
    assignment: { hostModelValue: null },
    dispatchKind: 'initial',
    inputDigest: digestOfBytes(text),
    workerId: worker,
    ...o.metadata,
  };
  await writeFile(metadataPathOf(promptPath), JSON.stringify(metadata));
  return promptPath;
}

async function plan(scene: Scene, o: Parameters<typeof oldPrompt>[1] = {}) {
  return planUnaudited(scene.context, [{ promptPath: await oldPrompt(scene, o), backend: 'cli-wrapper' }]);
}

async function onlyRecord({ context }: Scene): Promise<UnauditedRecord> {
  const records = await readUnaudited(context.layout);
  const [record] = records;
  if (record === undefined || records.length > 1) throw new Error(`${records.length} records of v1 jobs`);
  return record;
}

/** Dispatches one v1 job and awaits it. */
async function run(scene: Scene): Promise<UnauditedRecord> {
  await dispatchUnaudited(scene.context, await plan(scene));
  expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
  return onlyRecord(scene);
}

describe('a v1 job that was allowed to go unaudited', () => {
  it('ID-1 ID-6 MA-8 has a record with worker id and attempt, none of the refs, and an audit that is absent, never clean', async () => {
    const scene = await sceneWith();
    const record = await run(scene);
    expect(record).toMatchObject({
      schemaVersion: '1.0',
      workerId: 'implementer',
      attempt: 1,
      dispatchId: 'old-implementer:attempt-1',
      status: 'completed',
      enforcementMode: 'unaudited',
      contract: { audited: false, audit: null },
      result: { isTaken: true, missing: [] },
    });
    expect(Object.keys(record).filter((key) => REFS.includes(key))).toEqual([]);
    expect(await readAllRecords(scene.context.layout)).toEqual([]);
  });

  it('ID-6 has events with worker id and attempt, which aren’t taken for those of a v2 job', async () => {
    const scene = await sceneWith();
    await run(scene);
    const { eventLogPath } = scene.context.layout;
    const events = await readUnauditedEvents(eventLogPath);
    expect(events.map(({ type, details }) => [type, details.workerId, details.attempt, details.mutationAudit])).toEqual(
      [
        ['worker-dispatched', 'implementer', 1, null],
        ['worker-result-collected', 'implementer', 1, null],
      ],
    );
    expect(events.flatMap(({ details }) => Object.keys(details).filter((key) => REFS.includes(key)))).toEqual([]);
    expect(await readLeadEvents(eventLogPath)).toEqual({ events: [], unreadable: 0 });
  });

  it('ID-1 leaves the worker’s row as it is: what nobody audited completes no phase', async () => {
    const scene = await sceneWith();
    await run(scene);
    const records = await readAllRecords(scene.context.layout);
    const state = projectTeamState({
      manifest: scene.manifest,
      records,
      selections: [],
      at: '2026-11-29T17:00:00.000Z',
    });
    expect(state.workers.find(({ workerId }) => workerId === 'implementer')?.status).toBe('pending');
  });

  it('ID-6 EV-2 that fails has one error row with worker id and attempt, and is tried once (RT-1)', async () => {
    const scene = await sceneWith(async () => ({}));
    const record = await run(scene);
    expect([record.status, record.reason]).toEqual(['error', expect.stringContaining('required artifacts missing')]);
    const rows = await readUnauditedErrors(scene.context.layout.errorLogPath);
    expect(rows.map(({ workerId, attempt, message }) => [workerId, attempt, message])).toEqual([
      ['implementer', 1, record.reason],
    ]);
  });

  it('ST-1 doesn’t complete with a non-zero exit code, since nobody knows whether it changed anything', async () => {
    const record = await run(await sceneWith(handsIn({ exitCode: 3 })));
    expect([record.status, record.reason]).toEqual(['error', expect.stringContaining('nobody audited')]);
  });

  it('AR-9 that another model served is an error, whatever it handed in', async () => {
    const record = await run(await sceneWith(handsIn({ stage: 'served-model-mismatch', endEvidence: 'absent' })));
    expect([record.status, record.result?.isTaken]).toEqual(['error', false]);
  });

  it('AW-4 is settled as lost where its supervisor died', async () => {
    const scene = await sceneWith();
    const { records } = await dispatchUnaudited(scene.context, await plan(scene));
    await forgetSidecar(records[0]?.statusSidecarPath ?? '');
    await awaitRun(scene.context);
    expect(await onlyRecord(scene)).toMatchObject({ status: 'error', lifecycle: { end: 'lost' } });
  });

  it('ST-4 whose settlement was cut off after its record is told of by whoever awaits next, once', async () => {
    const scene = await sceneWith(async () => ({}));
    const record = await run(scene);
    const { eventLogPath, errorLogPath } = scene.context.layout;
    await truncate(eventLogPath, record.eventLogOffset);
    await truncate(errorLogPath, record.errorLogOffset);
    for (let times = 1; times <= 2; times += 1) {
      await awaitRun(scene.context);
      expect((await readUnauditedEvents(eventLogPath)).map(({ type }) => type)).toEqual([
        'worker-dispatched',
        'worker-failed',
      ]);
      expect(await readUnauditedErrors(errorLogPath)).toHaveLength(1);
    }
  });

  it('BA-3 whose launch breaks off is settled with that as its reason', async () => {
    const scene = await makeScene({ backend: createFakeBackend({ fault: 'before-ready' }) });
    const jobs = await plan(scene);
    expect(await codeOf(() => dispatchUnaudited(scene.context, jobs))).toBe('BATCH_ABORTED');
    expect(await onlyRecord(scene)).toMatchObject({ status: 'error', reason: expect.stringContaining('broken off') });
  });

  it('is ended, through its backend, by an interrupt of its command', async () => {
    const backend = createFakeBackend({ work: handsIn() });
    const scene = await makeScene({ backend });
    const { records } = await dispatchUnaudited(scene.context, await plan(scene));
    await interruptUnaudited(scene.context, records, { by: 'interrupt', graceMs: 5 });
    expect(backend.stops.map(({ options }) => options)).toEqual([{ by: 'interrupt', graceMs: 5 }]);
  });

  it('BA-6 is dispatched once', async () => {
    const scene = await sceneWith();
    await run(scene);
    const jobs = await plan(scene);
    expect(await codeOf(() => dispatchUnaudited(scene.context, jobs))).toBe('ATTEMPT_ALREADY_CLAIMED');
  });
});

describe('jobs of both generations', () => {
  it('WP-7 are not dispatched in one batch', async () => {
    const scene = await sceneWith();
    const old = await oldPrompt(scene);
    const young = await writePrompt(scene, 'verifier-1');
    expect([await generationOf([old]), await generationOf([young])]).toEqual(['v1', 'v2']);
    expect(await codeOf(() => generationOf([old, young]))).toBe('BATCH_MIXES_GENERATIONS');
    expect(await codeOf(() => generationOf([`${old}x`]))).toBe('METADATA_MISSING');
  });

  it('MA-8 never run beside each other: nobody could tell whose the changes are', async () => {
    const audited = await sceneWith();
    await dispatchBatch(audited.context, await planFor(audited, ['verifier-1']));
    const jobs = await plan(audited);
    expect(await codeOf(() => dispatchUnaudited(audited.context, jobs))).toBe('BESIDE_UNAUDITED');

    const unaudited = await sceneWith();
    await dispatchUnaudited(unaudited.context, await plan(unaudited));
    const young = await planFor(unaudited, ['verifier-1']);
    expect(await codeOf(() => dispatchBatch(unaudited.context, young))).toBe('BESIDE_UNAUDITED');
    await awaitRun(unaudited.context);
    await dispatchBatch(unaudited.context, young);
  });
});

describe('the plan of a v1 job', () => {
  it('ID-1 takes its worker from metadata or job, and refuses one that is in neither, in both, or in no row', async () => {
    const scene = await sceneWith();
    const promptPath = await oldPrompt(scene, { metadata: { workerId: undefined } });
    const request = { promptPath, backend: 'cli-wrapper' } as const;
    const [job] = await planUnaudited(scene.context, [{ ...request, workerId: parseWorkerId('implementer') }]);
    expect(job?.workerId).toBe('implementer');
    expect(await codeOf(() => planUnaudited(scene.context, [request]))).toBe('WORKER_UNKNOWN');
    expect(await codeOf(() => plan(scene, { metadata: { workerId: 'stranger' } }))).toBe('WORKER_UNKNOWN');
    expect(await codeOf(() => plan(scene, { metadata: { audience: 'report-writer' } }))).toBe('WORKER_UNKNOWN');
    const other = {
      promptPath: await oldPrompt(scene),
      backend: 'cli-wrapper',
      workerId: parseWorkerId('verifier-1'),
    } as const;
    expect(await codeOf(() => planUnaudited(scene.context, [other]))).toBe('WORKER_UNKNOWN');
  });

  it('is refused where its metadata name another model than the run binds to its worker', async () => {
    const assignment = { hostModelValue: null, provider: 'codex' };
    expect(await codeOf(async () => plan(await sceneWith(), { metadata: { assignment } }))).toBe(
      'ASSIGNMENT_DISAGREES',
    );
  });

  it('PL-5 is refused where the prompt isn’t the one that the metadata were made for', async () => {
    const inputDigest = digestOfBytes('another');
    expect(await codeOf(async () => plan(await sceneWith(), { metadata: { inputDigest } }))).toBe(
      'INPUT_DIGEST_DIFFERS',
    );
  });
});
