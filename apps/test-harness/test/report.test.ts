import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, runCliJson } from '../src/index.ts';
import { project, type RunDocument, SMALL_TEAM } from './support.ts';

interface Saved {
  readonly runId: string;
  readonly path: string;
  readonly bytes: number;
}

it('run report writes the run as one page, says where, and leaves everything as it was', async () => {
  const made = await project({ config: { team: SMALL_TEAM } });
  const started = await runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md']);
  const { runId, runDirectory } = started.document;
  const out = join(dirname(made.root), 'page.html');
  const saved = await runCliJson<Saved>(made, ['run', 'report', '--out', '../page.html']);
  const page = await readFile(out, 'utf8');
  const document = { schemaVersion: '1.0', runId, path: out, bytes: Buffer.byteLength(page) };
  expect(saved).toEqual({ exitCode: 0, document });
  for (const words of [
    runId,
    'verified',
    'implementer, attempt 1',
    'report-writer, attempt 1',
    'Make the test suite pass',
  ])
    expect(page).toContain(words);
  const beside = await runCli(made, ['run', 'report', runId]);
  expect(beside).toMatchObject({ exitCode: 0, stdout: join(runDirectory, 'report.html') });
  expect((await runCli(made, ['run', 'verify'])).exitCode).toBe(0);
  const nowhere = await runCliJson<{ error: { code: string } }>(made, ['run', 'report', '--out', 'no/such/page.html']);
  expect([nowhere.exitCode, nowhere.document.error.code]).toEqual([2, 'FOLDER_MISSING']);
});
