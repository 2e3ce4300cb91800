import { readFile, writeFile } from 'node:fs/promises';
import { finishedReportPathOf } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { reportPathOf } from '../../src/index.ts';
import { completedRecord, failedRecord, launchingRecord } from '../support/sample-run.ts';
import { bareProject, contextOf, storeCopy, storeRun } from '../support/stored-run.ts';

async function reportScene() {
  const project = bareProject();
  const run = await storeRun(project, {
    records: (sample) => [
      failedRecord(sample, 'implementer', 'exited', { reason: 'it | ended\n# badly' }),
      completedRecord(sample, 'implementer', {}, { attempt: 2, at: 5 }),
      completedRecord(sample, 'verifier-1', {}, { at: 9 }),
      launchingRecord(sample, 'report-writer', { at: 12 }),
    ],
  });
  const writer = run.records.at(-1);
  if (writer === undefined) throw new Error('there is a report writer');
  return { run, writer, context: await contextOf(project, run) };
}

describe('a finished report', () => {
  it('has the facts of record above what the report writer wrote, one row for each attempt but its own', async () => {
    const { run, writer, context } = await reportScene();
    const copy = await storeCopy(run, 'results/report.md', '# All is well\n\nsaid the writer\n\n\n');
    const own = finishedReportPathOf(run.layout, writer.dispatchId);
    expect(await context.postProcess(writer, copy)).toEqual({
      ok: true,
      steps: ['read-report', 'write-facts'],
      reason: '',
      files: [own],
    });
    const report = await readFile(reportPathOf(run.layout), 'utf8');
    expect(await readFile(own, 'utf8')).toBe(report);
    const [facts = '', words = ''] = report.split('\n---\n');
    expect(facts.split('\n').filter((line) => line.startsWith('| '))).toEqual([
      '| worker | attempt | status | model | served by | audit | changed paths |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| implementer | 1 | error | claude/sonnet | unknown (none) | failed-no-mutation | none |',
      '| implementer | 2 | completed | claude/sonnet | unknown (none) | ok | none |',
      '| verifier-1 | 1 | completed, says pass | codex/gpt-5.5 | unknown (none) | ok | none |',
    ]);
    expect(words).toBe('\n# All is well\n\nsaid the writer\n');
  });

  it.each([
    ['says nothing', Buffer.from(' \n\n')],
    ['is not UTF-8', Buffer.from([0x23, 0xff])],
  ])('ST-3 is refused where its text %s, and none is written', async (_, bytes) => {
    const { run, writer, context } = await reportScene();
    const copy = await storeCopy(run, 'results/report.md', '');
    await writeFile(copy, bytes);
    expect(await context.postProcess(writer, copy)).toMatchObject({
      ok: false,
      steps: ['read-report'],
      reason: expect.stringContaining(copy),
    });
    await expect(readFile(reportPathOf(run.layout))).rejects.toThrow('ENOENT');
  });

  it('ST-3 is refused where there is no text at all', async () => {
    const { run, writer, context } = await reportScene();
    expect(await context.postProcess(writer, `${run.layout.runDirectory}/none.md`)).toMatchObject({ ok: false });
  });
});
