import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createModelPool } from '@bailiwick/assignment-resolution';
import {
  openMarkerOf,
  readErrorRows,
  readLeadEvents,
  recordPathOf,
  type SupervisedJob,
  stopIntentPathOf,
  writeRecord,
} from '@bailiwick/dispatch-state';
import { digestOfBytes, digestOfFile, requireDocument } from '@bailiwick/durable-files';
import { type DispatchId, metadataCodec } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { awaitRun, type DispatchContext, dispatchBatch, type Progress, sourceDigestOf } from '../../src/index.ts';
import { createFakeBackend, type FakeBackend, type Work } from '../support/fake-backend.ts';
import { eventsOf, handIn, makeScene, planFor, recordsOf, type Scene, type SceneOptions } from '../support/scene.ts';

/** Hands in nothing in the first attempt, everything in the second. */
const AT_SECOND: Work = async (job) => {
  if (job.dispatchId.endsWith('attempt-2')) await handIn(job);
  return { reportedSessionId: `said-${job.dispatchId}` };
};

async function dispatched(
  work: Work,
  o: SceneOptions = {},
): Promise<{ readonly scene: Scene; readonly backend: FakeBackend }> {
  const backend = createFakeBackend({ work });
  const scene = await makeScene({ backend, ...o });
  await dispatchBatch(scene.context, await planFor(scene, ['verifier-2']));
  return { scene, backend };
}

async function bothAttempts(scene: Scene) {
  const records = await recordsOf(scene);
  const [first, second] = [records.get('verifier-2 1'), records.get('verifier-2 2')];
  if (first === undefined || second === undefined) throw new Error(`there are ${[...records.keys()].join(', ')}`);
  return { first, second };
}

/** Does something synchronous at the moment when the first attempt is settled and its retry decided. */
function whenSettled(act: () => void): DispatchContext['onProgress'] {
  return ({ kind, record }: Progress) => {
    if (kind === 'settled' && record.attempt === 1) act();
  };
}

/** The successors that settlements decided on, as they are decided. */
function notedRetries() {
  const retries: DispatchId[] = [];
  const note = ({ kind, record }: Progress) => {
    if (kind === 'settled' && record.retry !== null) retries.push(record.retry.successor);
  };
  return { retries, note };
}

describe('a retry', () => {
  it('RT-2 RT-5 is a new session with a byte-for-byte copy of the prompt, new metadata and ids, the same invocation, outputs, limits and backend', async () => {
    const { scene } = await dispatched(AT_SECOND);
    await awaitRun(scene.context);
    const { first, second } = await bothAttempts(scene);
    expect([first.status, second.status]).toEqual(['error', 'completed']);
    expect(await readFile(second.promptPath)).toEqual(await readFile(first.promptPath));
    const kept = [
      'invocationRef',
      'resultPath',
      'workerResultPath',
      'completionPaths',
      'dropBoxPath',
      'limits',
      'wantedBackend',
      'backend',
      'batchId',
      'inputDigest',
      'writePolicyDigest',
      'mutationAuditSnapshotPath',
    ] as const;
    for (const field of kept) expect([field, second[field]]).toEqual([field, first[field]]);
    const renewed = [
      'dispatchId',
      'invocationId',
      'sessionId',
      'promptPath',
      'promptMetadataPath',
      'statusSidecarPath',
      'logPath',
    ] as const;
    for (const field of renewed) expect([field, second[field] === first[field]]).toEqual([field, false]);
    const metadata = await requireDocument(second.promptMetadataPath, metadataCodec);
    expect(metadata).toMatchObject({
      attempt: 2,
      invocationRef: first.invocationRef,
      invocationId: second.invocationId,
    });
  });

  it('RT-2 of a provider that takes no session id is given the empty one', async () => {
    const backend = createFakeBackend({ work: AT_SECOND });
    const scene = await makeScene({ backend });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await awaitRun(scene.context);
    expect([...(await recordsOf(scene)).values()].map((record) => record.sessionId)).toEqual(['', '']);
  });

  it('RT-2 tries the backend again that was wanted, where the first attempt had to do without', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const first = (await recordsOf(scene)).get('verifier-2 1') ?? fail();
    const degraded = {
      wantedBackend: 'cmux-pane',
      degradedFrom: 'cmux-pane',
      degradedReason: 'it was not there',
    } as const;
    await writeRecord(scene.context.layout, { ...first, ...degraded });
    const panes = createFakeBackend({ kind: 'cmux-pane', work: AT_SECOND });
    await awaitRun({ ...scene.context, backends: new Map([backend, panes].map((one) => [one.kind, one])) });
    const { second } = await bothAttempts(scene);
    expect([second.backend, second.degradedFrom, second.status]).toEqual(['cmux-pane', null, 'completed']);
    expect([backend.orders.length, panes.orders.length]).toEqual([1, 1]);
  });

  it('RT-5 of another invocation than the first attempt’s is never launched', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const { promptMetadataPath, invocationRef } = (await recordsOf(scene)).get('verifier-2 1') ?? fail();
    const other = (text: string) => text.replaceAll(`"${invocationRef}"`, `"${invocationRef}0"`);
    const spoil = () => writeFileSync(promptMetadataPath, other(readFileSync(promptMetadataPath, 'utf8')));
    const report = await awaitRun({ ...scene.context, onProgress: whenSettled(spoil) });
    expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
    const { second } = await bothAttempts(scene);
    expect([backend.orders.length, second.status, second.invocationRef]).toEqual([1, 'error', invocationRef]);
    expect(second.reason).toContain('[PROMPT_INVALID]');
    expect(second.reason).toMatch(/changed since the first attempt: invocationRef$/);
  });

  it('RT-6 records for each attempt the session that it was given and the one that the agent named', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    await awaitRun(scene.context);
    const { first, second } = await bothAttempts(scene);
    expect(backend.orders.map((order) => order.jobs[0]?.sessionId)).toEqual([first.sessionId, second.sessionId]);
    for (const record of [first, second]) expect(record.reportedSessionId).toBe(`said-${record.dispatchId}`);
  });

  it('RT-4 is decided with the failed attempt: record, worker-failed, one error row, then the scheduled event with what is missing', async () => {
    const { scene } = await dispatched(AT_SECOND);
    await awaitRun(scene.context);
    const { first, second } = await bothAttempts(scene);
    expect(first.retry).toEqual({
      reason: first.reason,
      missingCompletionPaths: first.completionPaths,
      successor: second.dispatchId,
    });
    expect(await eventsOf(scene)).toEqual([
      'verifier-2 1 worker-dispatched',
      'verifier-2 1 worker-failed',
      'verifier-2 1 worker-retry-scheduled',
      'verifier-2 2 worker-dispatched',
      'verifier-2 2 worker-result-collected',
    ]);
    expect((await readErrorRows(scene.context.layout.errorLogPath)).map((row) => row.attempt)).toEqual([1]);
    const { events } = await readLeadEvents(scene.context.layout.eventLogPath);
    expect(events.find(({ type }) => type === 'worker-retry-scheduled')?.details).toMatchObject({
      missingCompletionPaths: first.completionPaths,
      successor: second.dispatchId,
    });
  });

  it('RT-4 that was decided by a process that died is launched exactly once by those that come', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const reports = await Promise.all([1, 2, 3].map(() => awaitRun(scene.context)));
    expect(reports.map((report) => report.failures)).toEqual([[], [], []]);
    expect(backend.orders.map((order) => order.jobs[0]?.dispatchId.slice(-9))).toEqual(['attempt-1', 'attempt-2']);
  });

  it('RT-4 AW-5 that was claimed by a process killed before it closed the decision is left to its owner', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    await awaitRun(scene.context);
    const { first, second } = await bothAttempts(scene);
    // A decision that is closed has no marker; whoever is killed between claim and close leaves it.
    writeFileSync(openMarkerOf(scene.context.layout, first.dispatchId), '');
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
    expect(await bothAttempts(scene)).toEqual({ first, second });
    expect(backend.orders).toHaveLength(2);
    expect(existsSync(openMarkerOf(scene.context.layout, first.dispatchId))).toBe(false);
  });

  it('RT-1 comes once: a second failure is the end', async () => {
    const { scene, backend } = await dispatched(async () => ({}));
    await awaitRun(scene.context);
    const { second } = await bothAttempts(scene);
    expect([backend.orders.length, second.status, second.retry]).toEqual([2, 'error', null]);
  });

  it('MA-1 is compared with its batch’s first baseline', async () => {
    const { scene } = await dispatched(async (job: SupervisedJob) => {
      if (job.dispatchId.endsWith('attempt-2')) await writeFile(scene.sourcePath, 'changed in the second attempt');
      return {};
    });
    const { mutationAuditSnapshotPath } = (await recordsOf(scene)).get('verifier-2 1') ?? fail();
    const before = await digestOfFile(mutationAuditSnapshotPath ?? '');
    await awaitRun(scene.context);
    const { second } = await bothAttempts(scene);
    expect(await digestOfFile(second.mutationAuditSnapshotPath ?? '')).toBe(before);
    expect(second.reason).toContain('src/cart.js');
  });

  it('MA-13 finds its drop box empty, and what lay there is kept aside', async () => {
    const seen: number[] = [];
    const { scene } = await dispatched(async (job) => {
      const { readdir } = await import('node:fs/promises');
      seen.push((await readdir(job.dropBoxPath)).length);
      await writeFile(`${job.dropBoxPath}/worker-result.md`, 'half');
      return {};
    });
    await awaitRun(scene.context);
    expect(seen).toEqual([0, 0]);
  });

  it('AW-6 of a worker that was stopped meanwhile is never launched, and ends as stopped', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const workerId = scene.manifest.recommendedWorkers.find((id) => id === 'verifier-2') ?? fail();
    const intent = { schemaVersion: '1.0', workerId, by: 'anna', at: '2026-11-29T16:18:00.000Z' };
    const stop = () => writeFileSync(stopIntentPathOf(scene.context.layout, workerId), JSON.stringify(intent));
    const report = await awaitRun({ ...scene.context, onProgress: whenSettled(stop) });
    expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
    expect(backend.orders).toHaveLength(1);
    const { first, second } = await bothAttempts(scene);
    expect([first.status, second.status, second.stoppedBy, second.retry]).toEqual(['error', 'stopped', 'anna', null]);
    expect((await awaitRun(scene.context)).kind).toBe('settled');
  });

  it('AR-3 whose binding no longer stands is settled with that as its reason, and not tried for ever', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const report = await awaitRun({ ...scene.context, pool: createModelPool([]) });
    expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
    const { second } = await bothAttempts(scene);
    expect([backend.orders.length, second.status]).toEqual([1, 'error']);
    expect(second.reason).toContain('the retry was refused');
  });

  it('BA-3 whose launch fails is settled with the failure, and the first attempt keeps its end', async () => {
    const { scene } = await dispatched(AT_SECOND);
    const broken = createFakeBackend({ fault: 'before-ready' });
    const report = await awaitRun({ ...scene.context, backends: new Map([[broken.kind, broken]]) });
    expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
    const { first, second } = await bothAttempts(scene);
    expect(first.reason).toContain('missing');
    expect([second.status, second.retry]).toEqual(['error', null]);
    expect(second.reason).toContain('no supervisor came up');
    expect((await eventsOf(scene)).slice(-1)).toEqual(['verifier-2 2 worker-failed']);
  });

  it.each([
    ['RT-2 whose prompt is no longer what the first attempt got', 'INPUT_DIGEST_DISAGREES', 'another task'],
    ['RT-2 whose prompt is gone', 'FILE_MISSING', null],
  ])('%s is settled with that as its coded reason, and not asked again at every await', async (_, code, text) => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const { promptPath } = (await recordsOf(scene)).get('verifier-2 1') ?? fail();
    const spoil = () => (text === null ? rmSync(promptPath) : writeFileSync(promptPath, text));
    const report = await awaitRun({ ...scene.context, onProgress: whenSettled(spoil) });
    expect(report).toEqual({ kind: 'settled', running: [], failures: [] });
    const { first, second } = await bothAttempts(scene);
    expect([backend.orders.length, first.status, second.status, second.retry]).toEqual([1, 'error', 'error', null]);
    expect([first.retry?.successor, second.invocationRef]).toEqual([second.dispatchId, first.invocationRef]);
    expect(second.reason).toContain(`[${code}]`);
    expect((await eventsOf(scene)).slice(-1)).toEqual(['verifier-2 2 worker-failed']);
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
  });

  it('ID-4 RT-2 whose prompt was changed together with its metadata is never launched: the input is the first attempt’s', async () => {
    const { scene, backend } = await dispatched(AT_SECOND);
    const { promptPath, promptMetadataPath, inputDigest } = (await recordsOf(scene)).get('verifier-2 1') ?? fail();
    const spoil = () => {
      writeFileSync(promptPath, 'another task');
      const text = readFileSync(promptMetadataPath, 'utf8');
      writeFileSync(promptMetadataPath, text.replace(inputDigest, digestOfBytes('another task')));
    };
    expect((await awaitRun({ ...scene.context, onProgress: whenSettled(spoil) })).failures).toEqual([]);
    const { second } = await bothAttempts(scene);
    expect([backend.orders.length, second.status, second.inputDigest]).toEqual([1, 'error', inputDigest]);
    expect(second.reason).toMatch(/\[PROMPT_INVALID\].*changed since the first attempt: inputDigest$/);
  });

  it('ST-8 binds its verdict to the source as it is at its own start', async () => {
    const { scene } = await dispatched(AT_SECOND);
    const change = () => writeFileSync(scene.sourcePath, 'changed by a person between the attempts');
    await awaitRun({ ...scene.context, onProgress: whenSettled(change) });
    const { first, second } = await bothAttempts(scene);
    expect(first.sourceDigest).not.toBeNull();
    expect(second.sourceDigest).toBe(await sourceDigestOf(scene.manifest));
    expect(second.sourceDigest).not.toBe(first.sourceDigest);
  });

  it('BA-3 whose claim fails half-way is settled: no retry is left without an owner, and the other one comes', async () => {
    const backend = createFakeBackend({ work: AT_SECOND });
    const scene = await makeScene({ backend });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1', 'verifier-2']));
    const { layout } = scene.context;
    const { retries, note } = notedRetries();
    let hasFailed = false;
    // The clock fails once, between the claim of the one retry and that of the other.
    const now = () => {
      const isClaimed = retries.some((id) => existsSync(recordPathOf(layout, id)));
      if (!isClaimed || hasFailed) return new Date();
      hasFailed = true;
      throw new Error('the clock broke');
    };
    const report = await awaitRun({ ...scene.context, onProgress: note, now });
    expect(report.failures.map(({ error }) => String(error))).toEqual(['Error: the clock broke']);
    const claimed = [...(await recordsOf(scene)).values()].filter((record) => record.attempt === 2);
    expect(claimed.map(({ status, reason }) => [status, reason])).toEqual([
      ['error', expect.stringContaining('the clock broke')],
    ]);
    expect(await awaitRun(scene.context)).toEqual({ kind: 'settled', running: [], failures: [] });
    const labels = ['verifier-1', 'verifier-2'];
    const records = await recordsOf(scene);
    const ends = labels.map((label) => records.get(`${label} 2`)?.status);
    expect(new Set(ends)).toEqual(new Set(['completed', 'error']));
  });
});

function fail(): never {
  throw new Error('the sample run has it');
}
