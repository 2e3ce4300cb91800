import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import {
  type DispatchRecord,
  LOG_TAIL_BYTES,
  openMarkerOf,
  readErrorRows,
  readLeadEvents,
} from '@bailiwick/dispatch-state';
import { claimFile } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { awaitRun, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { eventsOf, handIn, makeScene, planFor, printToLog, recordsOf, type Scene } from '../support/scene.ts';

/** A worker that prints much, says that it failed, and hands in nothing. */
const FAILING = createFakeBackend({
  work: async (job) => {
    await printToLog(job, `${'x'.repeat(2_000)}the end of the log`);
    return { exitCode: 3, endEvidence: 'negative', reason: 'the API refused' };
  },
});

async function failed(): Promise<{ readonly scene: Scene; readonly record: DispatchRecord }> {
  const scene = await makeScene({ backend: FAILING });
  await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
  await awaitRun(scene.context);
  const record = (await recordsOf(scene)).get('verifier-1 1');
  if (record === undefined) throw new Error('it was dispatched');
  return { scene, record };
}

describe('the events of a terminal record', () => {
  it('ST-4 that a crash kept from the log are appended by whoever comes next, once, and nothing is audited again', async () => {
    const { scene, record } = await failed();
    const { eventLogPath, errorLogPath } = scene.context.layout;
    await rm(eventLogPath);
    await rm(errorLogPath);
    await rm(record.mutationAuditSnapshotPath ?? '');
    await claimFile(openMarkerOf(scene.context.layout, record.dispatchId));
    await Promise.all([awaitRun(scene.context), awaitRun(scene.context)]);
    expect(await eventsOf(scene)).toEqual(['verifier-1 1 worker-dispatched', 'verifier-1 1 worker-failed']);
    expect(await readErrorRows(errorLogPath)).toHaveLength(1);
    expect((await recordsOf(scene)).get('verifier-1 1')).toEqual(record);
  });

  it('ST-4 that are there are not appended again', async () => {
    const { scene, record } = await failed();
    const before = await readFile(scene.context.layout.eventLogPath, 'utf8');
    await claimFile(openMarkerOf(scene.context.layout, record.dispatchId));
    await awaitRun(scene.context);
    expect(await readFile(scene.context.layout.eventLogPath, 'utf8')).toBe(before);
  });

  it('ST-4 of which a torn line is all that reached the disk are appended after it', async () => {
    const { scene, record } = await failed();
    const { eventLogPath } = scene.context.layout;
    const lines = (await readFile(eventLogPath, 'utf8')).split('\n');
    const last = lines.findLastIndex((line) => line.includes('worker-failed'));
    await writeFile(eventLogPath, lines.slice(0, last).join('\n'));
    await appendFile(eventLogPath, `\n${lines[last]?.slice(0, 40)}`);
    await claimFile(openMarkerOf(scene.context.layout, record.dispatchId));
    await awaitRun(scene.context);
    expect(await eventsOf(scene)).toEqual(['verifier-1 1 worker-dispatched', 'verifier-1 1 worker-failed']);
  });

  it('ST-2 ID-6 say why, with the exit code, and name the attempt as its record does', async () => {
    const { scene, record } = await failed();
    const { events } = await readLeadEvents(scene.context.layout.eventLogPath);
    const { participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = record;
    expect(events.at(-1)).toMatchObject({
      type: 'worker-failed',
      details: {
        participantRef,
        roleExecutionRef,
        invocationRef,
        executionLabel,
        dutyId,
        attempt,
        exitCode: 3,
        reason: record.reason,
        missingCompletionPaths: record.completionPaths,
        errorLogAppend: { ok: true, reason: '' },
      },
    });
    expect(record.reason).toMatch(/exit code 3.*the API refused.*log: /s);
  });
});

describe('the error log', () => {
  it('EV-2 ID-6 gets a failure once, with the end of the log, the message and the stored identity', async () => {
    const { scene, record } = await failed();
    const rows = await readErrorRows(scene.context.layout.errorLogPath);
    expect(rows).toHaveLength(1);
    const { dispatchId, participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt } = record;
    expect(rows[0]).toMatchObject({
      ...{ dispatchId, participantRef, roleExecutionRef, invocationRef, executionLabel, dutyId, attempt },
      message: record.reason,
    });
    expect(rows[0]).not.toHaveProperty('workerId');
    expect(rows[0]?.logTail).toHaveLength(LOG_TAIL_BYTES);
    expect(rows[0]?.logTail.endsWith('the end of the log')).toBe(true);
  });

  it('EV-2 that can’t be written is reported in the event, and the attempt is settled all the same', async () => {
    const scene = await makeScene({ backend: FAILING });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await mkdir(scene.context.layout.errorLogPath);
    expect(await awaitRun(scene.context)).toMatchObject({ kind: 'settled', failures: [] });
    const { events } = await readLeadEvents(scene.context.layout.eventLogPath);
    expect(events.at(-1)?.details).toMatchObject({ errorLogAppend: { ok: false, reason: expect.stringMatching(/./) } });
    expect((await recordsOf(scene)).get('verifier-1 1')?.status).toBe('error');
  });

  it('EV-2 gets nothing from a completion', async () => {
    const scene = await makeScene({
      backend: createFakeBackend({
        work: async (job) => {
          await handIn(job);
          return {};
        },
      }),
    });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    await awaitRun(scene.context);
    expect(await readErrorRows(scene.context.layout.errorLogPath)).toEqual([]);
  });
});
