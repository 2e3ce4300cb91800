import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runCliJson } from '../src/index.ts';
import { createdRun, dispatched, storedRun } from './runs-in-process.ts';
import { project, type RunDocument, startedAgents } from './support.ts';

interface StoredRecord {
  readonly executionLabel: string;
  readonly attempt: number;
  readonly contract: { readonly audited: boolean; readonly audit: Readonly<Record<string, unknown>> | null };
}

async function recordsOf({ runDirectory }: RunDocument): Promise<readonly StoredRecord[]> {
  const folder = join(runDirectory, 'dispatches');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

const AUDIT_FIELDS = [
  ...['status', 'changedPaths', 'sourceChanged', 'gitChanged', 'attribution', 'retryAllowed', 'violations'],
  ...['beforeDigest', 'afterDigest', 'gitProjection'],
];

describe('what a run leaves in its records', () => {
  it('BA-1 MA-2 MA-8 is a whole audit for every v2 attempt, of verifiers that ran through their retries before the report writer began', async () => {
    const seat = { model: 'codex/gpt-5.5' };
    const team = {
      implementer: { model: 'claude/sonnet' },
      verifiers: [seat, seat],
      reportWriter: { model: 'gemini/gemini-2.5-pro' },
    };
    const made = await project({ agents: { verifier: { as: 'no-result-once' } }, config: { team } });
    const { exitCode, document } = await runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md']);
    expect(exitCode).toBe(0);
    const started = await startedAgents(made);
    expect(started.filter((id) => id.includes('.verifier-'))).toHaveLength(4);
    expect(started.at(-1)).toContain('.report-writer.');
    const records = await recordsOf(document);
    expect(records).toHaveLength(6);
    for (const { contract } of records) {
      expect(contract.audited).toBe(true);
      expect(Object.keys(contract.audit ?? {})).toEqual(expect.arrayContaining(AUDIT_FIELDS));
    }
  });

  it('AW-2 is launched by whoever awaits: a retry that was decided after its dispatcher had gone', async () => {
    const made = await project({ agents: { implementer: { as: 'no-result-once' } } });
    await createdRun(made);
    await dispatched(made, ['implementer'], { wait: false });
    expect((await runCli(made, ['team', 'await'])).exitCode).toBe(0);
    const { attempts } = await storedRun(made);
    expect(attempts.map((attempt) => [attempt.attempt, attempt.status])).toEqual([
      [1, 'error'],
      [2, 'completed'],
    ]);
  });

  it('BA-4 tells each job’s code in the JSON, and exits 1 whatever it was', async () => {
    const made = await project({ agents: { implementer: { as: 'signal' } } });
    await createdRun(made);
    const { exitCode, document } = await runCliJson<{ jobs: readonly { label: string; code: number }[] }>(made, [
      'team',
      'dispatch',
      '--workers',
      'implementer',
    ]);
    expect(exitCode).toBe(1);
    expect(document.jobs.map((job) => [job.label, job.code])).toEqual([['implementer', 1]]);
  });
});
