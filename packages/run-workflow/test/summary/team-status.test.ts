import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendSelection, writeSidecar } from '@bailiwick/dispatch-state';
import { describe, expect, it } from 'vitest';
import { readRun, teamStatus } from '../../src/index.ts';
import { completedRecord, failedRecord, launchingRecord } from '../support/sample-run.ts';
import { sidecarOf } from '../support/sample-sidecar.ts';
import { bareProject, storeRun } from '../support/stored-run.ts';

const NOW = new Date('2026-11-29T16:20:00.000Z');

async function runningRun() {
  const run = await storeRun(bareProject(), { records: (sample) => [launchingRecord(sample, 'implementer')] });
  const [record] = run.records;
  if (record === undefined) throw new Error('it runs');
  return { run, record };
}

async function attemptOf(run: Awaited<ReturnType<typeof storeRun>>) {
  return (await teamStatus(run, NOW)).attempts[0];
}

describe('the status of a team', () => {
  it('has a row for each worker, and says of one that was left aside that it was', async () => {
    const run = await storeRun(bareProject(), { records: (sample) => [completedRecord(sample, 'implementer')] });
    const [implementer, first, second] = run.manifest.recommendedWorkers;
    if (implementer === undefined || first === undefined || second === undefined) throw new Error('four workers');
    await appendSelection(run.layout, {
      at: '2026-11-29T16:18:00.000Z',
      batchId: run.records[0]?.batchId ?? fail(),
      selected: [implementer],
      skipped: [{ workerId: second, reason: 'left aside by --workers' }],
    });
    const { workers } = await teamStatus(run, NOW);
    expect(workers.map((row) => [row.workerId, row.status, row.reason])).toEqual([
      ['implementer', 'completed', ''],
      ['verifier-1', 'pending', ''],
      ['verifier-2', 'skipped', 'left aside by --workers'],
      ['report-writer', 'pending', ''],
    ]);
  });

  it('tells of an attempt before its supervisor, while it runs, and when it has ended and its audit has not', async () => {
    const { run, record } = await runningRun();
    expect(await attemptOf(run)).toMatchObject({ status: 'launching', stage: 'none', ageMs: 120_000, lastLine: '' });
    await writeSidecar(record.statusSidecarPath, sidecarOf(record.dispatchId));
    expect(await attemptOf(run)).toMatchObject({ status: 'running', stage: 'running' });
    const ended = sidecarOf(record.dispatchId, { stage: 'exited', exitCode: 0, endEvidence: 'positive' });
    await writeSidecar(record.statusSidecarPath, ended);
    expect(await attemptOf(run)).toMatchObject({ status: 'ended, contract pending', stage: 'exited' });
  });

  it('never ages below zero, whatever the clock does', async () => {
    const { run } = await runningRun();
    const [attempt] = (await teamStatus(run, new Date('2020-01-01T00:00:00.000Z'))).attempts;
    expect(attempt?.ageMs).toBe(0);
  });

  it('shows the last line that the supervisor named, else the agent’s last words from its stream, never the stream itself', async () => {
    const { run, record } = await runningRun();
    const said = (text: string) =>
      JSON.stringify({ type: 'assistant', message: { model: 'claude-sonnet-4-5', content: [{ type: 'text', text }] } });
    await mkdir(dirname(record.logPath), { recursive: true });
    await writeFile(
      record.logPath,
      `{"torn":\n${said('first')}\n${said('the tests pass')}\n{"type":"nothing","secret":1}\n`,
    );
    expect((await attemptOf(run))?.lastLine).toBe('the tests pass');
    await writeSidecar(
      record.statusSidecarPath,
      sidecarOf(record.dispatchId, { lastLine: 'as the supervisor saw it' }),
    );
    expect((await attemptOf(run))?.lastLine).toBe('as the supervisor saw it');
  });

  it('shows of a long log its end only, in at most 200 characters', async () => {
    const { run, record } = await runningRun();
    const said = (text: string) =>
      JSON.stringify({ type: 'assistant', message: { model: 'claude-sonnet-4-5', content: [{ type: 'text', text }] } });
    await mkdir(dirname(record.logPath), { recursive: true });
    await writeFile(record.logPath, `${`${said('old')}\n`.repeat(2_000)}${said('x'.repeat(500))}\n`);
    expect((await attemptOf(run))?.lastLine).toBe('x'.repeat(200));
  });

  it('gives the reason of an attempt that ended badly in place of a last line', async () => {
    const run = await storeRun(bareProject(), {
      records: (sample) => [failedRecord(sample, 'implementer', 'lost', { reason: 'lost: its supervisor died' })],
    });
    expect(await attemptOf(await readRun(bareProjectOf(run), run.manifest.runId))).toMatchObject({
      status: 'error',
      stage: 'lost',
      lastLine: 'lost: its supervisor died',
      ageMs: 30_000,
    });
  });
});

function bareProjectOf(run: Awaited<ReturnType<typeof storeRun>>) {
  const root = run.manifest.projectRoot;
  return { root, gitCommonDirectory: null, headCommit: null, stateRoot: `${root}/.git/bailiwick` };
}

function fail(): never {
  throw new Error('the run has a record');
}
