import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  claimAttempt,
  closeAttempt,
  createRecordMemory,
  readRecord,
  recordPathOf,
  surveyOpenAttempts,
  writeRecord,
  writeSidecar,
} from '../src/index.ts';
import { attemptOf, bareRun, sidecarLike } from './support/samples.ts';

describe('records that are looked at again and again', () => {
  it('are the same ones as long as their file is, and another where that was replaced', async () => {
    const layout = bareRun();
    const memory = createRecordMemory();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    const look = async () => (await surveyOpenAttempts(layout, memory)).attempts[0]?.record;
    const first = await look();
    expect(first).toEqual(record);
    expect(await look()).toBe(first);
    const ended = attemptOf({ like: 'completed' });
    await writeRecord(layout, ended);
    expect(await look()).toEqual(ended);
  });

  it('are forgotten with their marker', async () => {
    const layout = bareRun();
    const memory = createRecordMemory();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    const path = recordPathOf(layout, record.dispatchId);
    const first = await memory.read(path);
    await closeAttempt(layout, record.dispatchId);
    expect((await surveyOpenAttempts(layout, memory)).attempts).toEqual([]);
    expect(await memory.read(path)).not.toBe(first);
  });

  it('come with what their supervisor said last', async () => {
    const layout = bareRun();
    const memory = createRecordMemory();
    const record = attemptOf({}, { statusSidecarPath: join(layout.runDirectory, 'sidecar.json') });
    expect(await memory.readSidecar(record)).toBeUndefined();
    const sidecar = sidecarLike('running');
    await writeSidecar(record.statusSidecarPath, sidecar);
    const first = await memory.readSidecar(record);
    expect(first).toEqual(sidecar);
    expect(await memory.readSidecar(record)).toBe(first);
    const news = sidecarLike('running', { lastLine: 'two tests fail' });
    await writeSidecar(record.statusSidecarPath, news);
    expect(await memory.readSidecar(record)).toEqual(news);
    rmSync(record.statusSidecarPath);
    expect(await memory.readSidecar(record)).toBeUndefined();
  });

  it('hold one list of their batch’s invocations among them', async () => {
    const layout = bareRun();
    const record = attemptOf({});
    await claimAttempt(layout, record);
    const [one, other] = [await readRecord(layout, record.dispatchId), await readRecord(layout, record.dispatchId)];
    expect(other).not.toBe(one);
    expect(other?.batchInvocations).toBe(one?.batchInvocations);
  });
});
