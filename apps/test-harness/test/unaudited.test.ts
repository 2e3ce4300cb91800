import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runCliJson, type TempProject } from '../src/index.ts';
import { createdRun } from './runs-in-process.ts';
import { project, type RunDocument } from './support.ts';

interface Refusal {
  readonly error: { readonly code: string };
}

/** A jobs file with one job of the first generation, beside the project. */
async function oldJobs({ root }: TempProject): Promise<string> {
  const base = join(root, '..');
  const box = join(root, '.bailiwick', 'out', 'old-1');
  const prompt = [
    '**Role:** implementer',
    '**Task:** Say hello',
    '**Model:** claude/sonnet',
    `**Result Path:** ${join(box, 'result.json')}`,
    `**Worker Result Path:** ${join(box, 'worker-result.md')}`,
    '',
    'Do nothing much.',
    '',
  ].join('\n');
  await writeFile(join(base, 'old.md'), prompt);
  const metadata = {
    schemaVersion: 1,
    invocationId: 'old-1',
    audience: 'implementation-executor',
    assignmentRef: 'implementer',
    assignment: { hostModelValue: null },
    dispatchKind: 'initial',
    inputDigest: `sha256:${createHash('sha256').update(prompt).digest('hex')}`,
  };
  await writeFile(join(base, 'old.md.meta.json'), JSON.stringify(metadata));
  const jobs = { schemaVersion: '1.0', jobs: [{ promptPath: 'old.md', workerId: 'implementer' }] };
  await writeFile(join(base, 'jobs.json'), JSON.stringify(jobs));
  return '../jobs.json';
}

describe('a job of the first generation', () => {
  it('ID-1 runs only with --allow-unaudited, and is shown as unaudited by every command', async () => {
    const made = await project();
    const run = await createdRun(made);
    const dispatch = ['team', 'dispatch', '--jobs', await oldJobs(made), '--run', run.runId];
    const refused = await runCliJson<Refusal>(made, dispatch);
    expect([refused.exitCode, refused.document.error.code]).toEqual([2, 'GENERATION_UNAUDITED']);

    const done = await runCliJson<{ jobs: readonly object[] }>(made, [...dispatch, '--allow-unaudited']);
    const job = { label: 'implementer', status: 'completed', attempt: 1, code: 0, audit: 'unaudited' };
    expect([done.exitCode, done.document.jobs]).toEqual([0, [expect.objectContaining(job)]]);

    const { document: shown } = await runCliJson<RunDocument>(made, ['run', 'show', run.runId]);
    const seen = { workerId: 'implementer', audit: 'unaudited', status: 'completed', changedPaths: [] };
    expect([shown.state, shown.attempts]).toEqual(['unfinished', [expect.objectContaining(seen)]]);
    const status = await runCli(made, ['team', 'status', '--run', run.runId]);
    expect(status.stdout).toMatch(/implementer \(unaudited\)\s+completed/);

    const verified = await runCli(made, ['run', 'verify', run.runId]);
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/unaudited old-1:attempt-1 of implementer \(completed\)/),
    ]);
  });
});
