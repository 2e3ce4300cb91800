import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runCliJson, type TempProject } from '../src/index.ts';
import { inCmux } from './in-cmux.ts';
import { createdRun } from './runs-in-process.ts';
import { aliveOf, type RunDocument } from './support.ts';

const start = (at: TempProject) =>
  runCliJson<RunDocument>(at, ['run', 'start', '../TASK.md', '--backend', 'cmux-pane']);

/** One dispatch of one worker, in a run of its own. */
async function dispatchOne(at: TempProject, ...more: readonly string[]): Promise<readonly StoredRecord[]> {
  const run = await createdRun(at);
  const dispatch = ['team', 'dispatch', '--run', run.runId, '--workers', 'implementer', '--backend', 'cmux-pane'];
  expect((await runCli(at, [...dispatch, ...more])).exitCode).toBe(0);
  return recordsOf(run);
}

interface StoredRecord {
  readonly backend: string;
  readonly wantedBackend: string;
  readonly degradedFrom: string | null;
  readonly degradedReason: string | null;
  readonly paneId: string | null;
}

async function recordsOf({ runDirectory }: Pick<RunDocument, 'runDirectory'>): Promise<readonly StoredRecord[]> {
  const folder = join(runDirectory, 'dispatches');
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.json$/.test(name));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

describe('a run in cmux', () => {
  it('CX-1 CX-2 CX-6 has each worker in a pane of its own name, and leaves nothing behind: no pane, no pill, no focus moved', async () => {
    const { at, fake } = await inCmux();
    const { exitCode, document } = await start(at);
    expect([exitCode, document.state]).toEqual([0, 'verified']);
    const records = await recordsOf(document);
    expect(records.map(({ backend, paneId }) => [backend, typeof paneId])).toEqual(
      records.map(() => ['cmux-pane', 'string']),
    );
    const titles = fake.requests().flatMap(({ method, params }) => (method === 'tab.action' ? [params['title']] : []));
    expect(titles).toEqual(['implementer', 'verifier-1', 'report-writer']);
    expect(fake.conduct()).toMatchObject({ holds: true, connections: 1 });
    const { status, progress, log } = fake.app.active.selected.sidebar;
    expect([status.size, progress]).toEqual([0, null]);
    expect(log.map(({ message }) => message)).toContain('implementer completed');
    expect(await aliveOf(document.runId)).toEqual([]);
  });

  it('CX-3 where cmux is too old, the job runs without it, and its record says what was wanted and why', async () => {
    const { at, fake } = await inCmux({ version: '0.64.6' });
    const [record] = await dispatchOne(at);
    expect(record).toMatchObject({ backend: 'cli-wrapper', wantedBackend: 'cmux-pane', degradedFrom: 'cmux-pane' });
    expect(record?.degradedReason).toContain('0.64.6');
    expect(fake.conduct().holds).toBe(true);
  });

  it('CX-4 behind a sandbox the dispatch stops with an error that says so, and nothing is written', async () => {
    const { at, fake } = await inCmux({ mode: 'off' });
    const sandboxed = { ...at, environment: { ...at.environment, CODEX_SANDBOX: 'seatbelt' } };
    const { runId, runDirectory } = await createdRun(sandboxed);
    const dispatch = ['team', 'dispatch', '--run', runId, '--workers', 'implementer', '--backend', 'cmux-pane'];
    const { exitCode, document } = await runCliJson<{ error: { code: string; message: string } }>(sandboxed, dispatch);
    expect([exitCode, document.error.code]).toEqual([2, 'BACKEND_WALLED_OFF']);
    expect(document.error.message).toContain('sandbox');
    expect(await readdir(join(runDirectory, 'dispatches'))).toEqual([]);
    expect(fake.conduct().connections).toBe(0);
  });

  it('a terminal that cmux does not know any more gets a workspace of its own only where that is allowed', async () => {
    const { at, fake } = await inCmux();
    await fake.relaunch();
    expect((await dispatchOne(at)).map(({ backend }) => backend)).toEqual(['cli-wrapper']);
    expect((await dispatchOne(at, '--own-workspace')).map(({ backend }) => backend)).toEqual(['cmux-pane']);
    expect(fake.requests().some(({ method }) => method === 'workspace.create')).toBe(true);
    expect(fake.conduct()).toMatchObject({ holds: true });
    expect(fake.app.active.workspaces).toHaveLength(1);
  });
});

describe('doctor', () => {
  it('says in a line where this stands towards cmux, and prints the forms of its replies on demand', async () => {
    const { at, fake } = await inCmux({ mode: 'password', password: 'x' });
    const { document } = await runCliJson<{ findings: readonly { check: string; level: string; advice: string }[] }>(
      at,
      ['doctor'],
    );
    const finding = document.findings.find(({ check }) => check === 'cmux');
    expect(finding).toMatchObject({ level: 'warn' });
    expect(finding?.advice).toContain('CMUX_SOCKET_PASSWORD');
    await fake.setMode('cmuxOnly');
    const probe = await runCliJson<{ standing: string; replies: readonly { method: string; outcome: string }[] }>(at, [
      'doctor',
      '--cmux-probe',
    ]);
    expect(probe.document.standing).toBe('usable');
    expect(probe.document.replies.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(fake.conduct()).toMatchObject({ holds: true });
  });
});
