import { appendFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { owedEvents } from '@bailiwick/dispatch';
import {
  appendLeadEvents,
  type DispatchRecord,
  openMarkerOf,
  resultLinkOf,
  resultsFolderOf,
} from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { readRun, reportPathOf, type StoredRun, verifyRun } from '../../src/index.ts';
import { completedRecord, launchingRecord, type SampleRun } from '../support/sample-run.ts';
import { bareProject, contextOf, storeCopy, storeDerived, storeRecord, storeRun } from '../support/stored-run.ts';

const DERIVED = new Set(['event-differs', 'marker-missing', 'link-differs', 'report-differs']);

/** A run whose implementer and report writer are settled, with the report that the latter finished. */
async function scene() {
  const project = bareProject();
  const run = await storeRun(project);
  const implementer = completedRecord(run, 'implementer');
  const writer = reportRecord(run);
  const context = await contextOf(project, run);
  for (const record of [implementer, writer]) {
    await storeRecord(run, record);
    await storeDerived(run, record);
  }
  await context.postProcess(writer, await storeCopy(run, 'results/report.md', 'All is well.\n'));
  return { run, implementer, writer, found: () => derived(() => readRun(project, run.manifest.runId)) };
}

function reportRecord(run: SampleRun): DispatchRecord {
  const record = completedRecord(run, 'report-writer', { finishedAt: '2026-11-29T16:19:00.000Z' });
  if (record.result === null) throw new Error('a completed record has a result');
  return { ...record, result: { ...record.result, postProcessing: ['read-report', 'write-facts'] } };
}

async function derived(read: () => Promise<StoredRun>): Promise<readonly string[]> {
  const { differences } = await verifyRun(await read(), { publicKeys: [], anchors: [], requireSigned: false });
  return differences.filter(({ code }) => DERIVED.has(code)).map(({ code, message }) => `${code}: ${message}`);
}

type Scene = Awaited<ReturnType<typeof scene>>;

describe('what is derived from the records of a run', () => {
  it('EV-3 differs in nothing where settlement left it', async () => {
    const { found } = await scene();
    expect(await found()).toEqual([]);
  });

  it.each<[string, (scene: Scene) => Promise<unknown>, string]>([
    ['an event log that is gone', ({ run }) => rm(run.layout.eventLogPath), 'holds no worker-result-collected of'],
    ['an event that is told otherwise', retell, 'tells worker-result-collected of'],
    ['an event of an attempt without a record', tellOfNobody, 'which has no record'],
    ['an event log that is a folder', makeFolder, 'not a regular file'],
  ])('EV-3 differs where there is %s', async (_, spoil, why) => {
    const one = await scene();
    await spoil(one);
    const found = await one.found();
    expect(found.filter((line) => !line.startsWith('event-differs: '))).toEqual([]);
    expect(found.join('\n')).toContain(why);
  });

  it.each([
    ['is gone', (link: string) => rm(link)],
    ['leads elsewhere', (link: string) => rm(link).then(() => symlink('/etc', link))],
    ['is a folder', (link: string) => rm(link).then(() => mkdir(link))],
  ])('EV-3 differs where the link to the results %s', async (_, spoil) => {
    const { run, implementer, found } = await scene();
    await spoil(resultLinkOf(run.layout, implementer.invocationRef));
    expect(await found()).toEqual([expect.stringMatching(/^link-differs: /)]);
  });

  it('differs in nothing where the link leads to a later attempt that failed once it was linked', async () => {
    const { run, implementer, found } = await scene();
    const later = completedRecord(run, 'implementer', {}, { attempt: 2, at: 1 });
    if (later.result === null) throw new Error('a completed record has a result');
    const reason = 'post-processing failed';
    const failed = { ...later, status: 'error' as const, reason, result: { ...later.result, isTaken: false } };
    const marked = { ...failed, result: { ...failed.result, link: { ok: false, reason } } };
    await storeRecord(run, marked);
    await storeDerived(run, marked);
    const link = resultLinkOf(run.layout, implementer.invocationRef);
    await rm(link);
    await symlink(basename(resultsFolderOf(run.layout, later.dispatchId)), link);
    expect(await found()).toEqual([]);
  });

  it.each([
    ['says something else', (path: string) => appendFile(path, 'And the verifier agrees.\n')],
    ['is gone', (path: string) => rm(path)],
  ])('EV-3 differs where the report %s', async (_, spoil) => {
    const { run, found } = await scene();
    await spoil(reportPathOf(run.layout));
    expect(await found()).toEqual([expect.stringMatching(/^report-differs: /)]);
  });

  it('EV-3 differs where an attempt is not settled and nobody awaits it', async () => {
    const { run, found } = await scene();
    const record = launchingRecord(run, 'verifier-1');
    await storeRecord(run, record);
    await rm(openMarkerOf(run.layout, record.dispatchId));
    expect(await found()).toEqual(['marker-missing: is gone, and its attempt is not settled']);
  });

  it('differs in nothing of an attempt that is still to be settled', async () => {
    const { run, found } = await scene();
    await storeRecord(run, launchingRecord(run, 'verifier-1'));
    expect(await found()).toEqual([]);
  });
});

async function retell({ run }: Scene): Promise<void> {
  const text = await readFile(run.layout.eventLogPath, 'utf8');
  await writeFile(run.layout.eventLogPath, text.replace('"exitCode":0', '"exitCode":1'));
}

async function tellOfNobody({ run }: Scene): Promise<void> {
  const nobody = completedRecord(run, 'verifier-2');
  await appendLeadEvents(run.layout.eventLogPath, owedEvents(nobody, nobody.dispatchedAt, null));
}

async function makeFolder({ run }: Scene): Promise<void> {
  await rm(run.layout.eventLogPath);
  await mkdir(run.layout.eventLogPath);
}
