import { readFile } from 'node:fs/promises';
import { readLeadEvents } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { awaitRun, type DispatchContext, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, recordsOf } from '../support/scene.ts';

async function settledReport(postProcess: DispatchContext['postProcess']) {
  const backend = createFakeBackend({
    work: async (job) => {
      await handIn(job);
      return {};
    },
  });
  const scene = await makeScene({ backend, context: { postProcess } });
  await dispatchBatch(scene.context, await planFor(scene, ['report-writer']));
  await awaitRun(scene.context);
  const { events } = await readLeadEvents(scene.context.layout.eventLogPath);
  return { record: (await recordsOf(scene)).get('report-writer 1'), event: events.at(-1) };
}

describe('what runs on a completed report', () => {
  it('MA-13 gets the copy of the report, and the event lists its steps', async () => {
    const seen: string[] = [];
    const { record, event } = await settledReport(async (_, copy) => {
      seen.push(await readFile(copy, 'utf8'));
      return { ok: true, steps: ['read-report', 'write-facts'], reason: '' };
    });
    expect(seen).toEqual(['# Report\n']);
    expect(record).toMatchObject({ status: 'completed', result: { isTaken: true, link: { ok: true } } });
    expect(event).toMatchObject({
      type: 'worker-result-collected',
      details: { postProcessing: ['read-report', 'write-facts'], resultLink: { ok: true } },
    });
  });

  it('ST-3 that fails makes the job an error that is not retried, lists the steps and marks the link', async () => {
    const { record, event } = await settledReport(async () => ({
      ok: false,
      steps: ['read-report'],
      reason: 'it is empty',
    }));
    expect(record).toMatchObject({ status: 'error', retry: null, result: { isTaken: false, link: { ok: false } } });
    expect(record?.reason).toContain('it is empty');
    expect(event).toMatchObject({ type: 'worker-failed', details: { postProcessing: ['read-report'] } });
  });
});
