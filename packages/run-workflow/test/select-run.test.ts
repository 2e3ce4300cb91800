import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isUnfinished, type StoredRun, selectRun, surveyRuns } from '../src/index.ts';
import { codeOf, errorOf } from './support/errors.ts';
import { completedRecord, failedRecord, launchingRecord, type SampleRun, sampleRun } from './support/sample-run.ts';
import { bareProject, storeRun } from './support/stored-run.ts';

const OLD = 'r-20261101-000000-aaaaaa';
const MIDDLE = 'r-20261102-000000-bbbbbb';
const NEW = 'r-20261103-000000-cccccc';

const FAILED = (run: SampleRun) => [failedRecord(run, 'implementer', 'exited')];

describe('the run that is meant', () => {
  it('is the one that is named', async () => {
    const project = bareProject();
    for (const runId of [OLD, NEW]) await storeRun(project, { runId });
    expect((await selectRun(project, OLD, 'newest')).manifest.runId).toBe(OLD);
    expect((await selectRun(project, OLD, 'only-unfinished')).manifest.runId).toBe(OLD);
  });

  it('is the newest, or the only unfinished one, where none is named', async () => {
    const project = bareProject();
    await storeRun(project, { runId: NEW, records: FAILED });
    await storeRun(project, { runId: OLD, records: FAILED });
    await storeRun(project, { runId: MIDDLE });
    expect((await selectRun(project, undefined, 'newest')).manifest.runId).toBe(NEW);
    expect((await selectRun(project, undefined, 'only-unfinished')).manifest.runId).toBe(MIDDLE);
    expect((await surveyRuns(project)).runs.map((run) => run.manifest.runId)).toEqual([OLD, MIDDLE, NEW]);
  });

  it('is refused with the list where several are unfinished', async () => {
    const project = bareProject();
    for (const runId of [OLD, NEW]) await storeRun(project, { runId });
    await storeRun(project, { runId: MIDDLE, records: FAILED });
    expect(await errorOf(() => selectRun(project, undefined, 'only-unfinished'))).toMatchObject({
      code: 'RUN_AMBIGUOUS',
      names: [OLD, NEW],
      hint: expect.stringContaining('--run'),
    });
  });

  it('is refused where there is none: none at all, none unfinished, none of that name', async () => {
    const project = bareProject();
    expect(await codeOf(() => selectRun(project, undefined, 'newest'))).toBe('RUN_UNKNOWN');
    expect(await codeOf(() => selectRun(project, undefined, 'only-unfinished'))).toBe('RUN_UNKNOWN');
    await storeRun(project, { runId: OLD, records: FAILED });
    expect(await codeOf(() => selectRun(project, undefined, 'only-unfinished'))).toBe('RUN_UNKNOWN');
    for (const name of [NEW, '', '../r', OLD.slice(0, 8)])
      expect(await errorOf(() => selectRun(project, name, 'newest'))).toMatchObject({
        code: 'RUN_UNKNOWN',
        hint: expect.stringContaining(OLD),
      });
  });
});

describe('AW-3 damage in one run', () => {
  it('is named, and holds up no other run: the unfinished one is meant, and what is damaged can be named', async () => {
    const project = bareProject();
    const damaged = await storeRun(project, { runId: OLD, records: FAILED });
    await writeFile(await onlyRecordOf(damaged), '{"half":');
    const lost = await storeRun(project, { runId: MIDDLE });
    await writeFile(lost.layout.manifestPath, '{"half":');
    await storeRun(project, { runId: NEW });
    expect((await selectRun(project, undefined, 'only-unfinished')).manifest.runId).toBe(NEW);
    const { runs, unreadable } = await surveyRuns(project);
    expect(runs.map((run) => [run.manifest.runId, run.unreadable.length])).toEqual([
      [OLD, 1],
      [NEW, 0],
    ]);
    expect(unreadable).toMatchObject([{ runId: MIDDLE, error: { code: 'DOCUMENT_DAMAGED' } }]);
    const named = await selectRun(project, OLD, 'newest');
    expect([named.records, named.unreadable]).toMatchObject([
      [],
      [{ isOpen: false, error: { code: 'DOCUMENT_DAMAGED' } }],
    ]);
  });

  it('of an attempt that isn’t settled leaves its run the one that is meant; of a settled one it is what is said', async () => {
    const project = bareProject();
    const run = await storeRun(project, { runId: OLD, records: (sample) => [launchingRecord(sample, 'implementer')] });
    await writeFile(await onlyRecordOf(run), '{"half":');
    expect((await selectRun(project, undefined, 'only-unfinished')).unreadable).toMatchObject([{ isOpen: true }]);
    const other = bareProject();
    await writeFile(await onlyRecordOf(await storeRun(other, { runId: OLD, records: FAILED })), '{"half":');
    expect(await codeOf(() => selectRun(other, undefined, 'only-unfinished'))).toBe('DOCUMENT_DAMAGED');
  });

  it('that was removed while its worker ran is known by what is left of its attempt', async () => {
    const project = bareProject();
    const run = await storeRun(project, { runId: OLD, records: (sample) => [launchingRecord(sample, 'implementer')] });
    const path = await onlyRecordOf(run);
    await rm(path);
    // A claim that was cut off leaves a marker too, and no sidecar.
    expect((await selectRun(project, OLD, 'newest')).unreadable).toEqual([]);
    await writeFile(join(run.layout.sidecarsFolder, basename(path)), '{}');
    const { unreadable } = await selectRun(project, undefined, 'only-unfinished');
    expect(unreadable).toMatchObject([{ isOpen: true, path, error: { code: 'FILE_MISSING' } }]);
  });
});

async function onlyRecordOf({ layout }: StoredRun): Promise<string> {
  const [name = ''] = await readdir(layout.dispatchesFolder);
  return join(layout.dispatchesFolder, name);
}

describe('a run', () => {
  it('is unfinished while an attempt is open or a phase is due', () => {
    const run = sampleRun();
    const all = ['implementer', 'verifier-1', 'verifier-2', 'report-writer'];
    const done = all.map((label, index) => completedRecord(run, label, {}, { at: index }));
    expect(isUnfinished({ ...run, unreadable: [], records: [] })).toBe(true);
    expect(isUnfinished({ ...run, unreadable: [], records: done.slice(0, 3) })).toBe(true);
    expect(isUnfinished({ ...run, unreadable: [], records: done })).toBe(false);
    expect(
      isUnfinished({
        ...run,
        unreadable: [],
        records: [...done, launchingRecord(run, 'implementer', { invocation: 2, at: 9 })],
      }),
    ).toBe(true);
    expect(isUnfinished({ ...run, unreadable: [], records: FAILED(run) })).toBe(false);
  });
});
