import { once } from 'node:events';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, runCli, runCliJson, startCli } from '../src/index.ts';
import { checkDocument } from './published-schemas.ts';
import { createdRun, dispatched, storedRun, storedStatuses } from './runs-in-process.ts';
import { aliveOf, heldAgents, project, type RunDocument, SMALL_TEAM, startedAgents } from './support.ts';

interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}

const WITH_TRANSLATOR = { ...SMALL_TEAM, translator: { model: 'codex/gpt-5.5', language: 'de' } };

const byNumber = (a: number | null, b: number | null): number => Number(a) - Number(b);

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}

describe('team dispatch', () => {
  it('PL-1 PL-3 refuses what may not run together, dry or not, and changes nothing', async () => {
    const made = await project();
    await createdRun(made);
    const before = await filesOf(made.root);
    const refused = async (...args: readonly string[]) => {
      const { exitCode, document } = await runCliJson<Refusal>(made, ['team', 'dispatch', ...args]);
      return { exitCode, ...document.error };
    };
    const mixed = await refused('--workers', 'implementer,verifier-1');
    expect(mixed).toMatchObject({ exitCode: 2, code: 'IMPLEMENTER_WITH_VERIFIER' });
    expect(mixed.hint).toContain('--workers verifier-1');
    expect(await refused('--workers', 'implementer,verifier-1', '--dry-run')).toEqual(mixed);
    const planned = await runCliJson<{ jobs: readonly { workerId: string; writePolicyDigest: string }[] }>(made, [
      ...['team', 'dispatch', '--workers', 'implementer', '--dry-run'],
    ]);
    expect(planned.document.jobs).toMatchObject([
      { workerId: 'implementer', writePolicyDigest: expect.stringMatching(/^sha256:/) },
    ]);
    const lockFiles = (path: string) => path.endsWith('run.lock') || path.endsWith('run.lock-journal');
    expect((await filesOf(made.root)).filter((path) => !lockFiles(path))).toEqual(before);
    expect(await startedAgents(made)).toEqual([]);
  });

  it('BA-6 of two dispatches at once one runs, the other is refused by name', async () => {
    const made = await project();
    await createdRun(made);
    const both = await Promise.all(
      [1, 2].map(() => runCliJson<Refusal>(made, ['team', 'dispatch', '--workers', 'implementer'])),
    );
    expect(both.map((result) => result.exitCode).sort(byNumber)).toEqual([0, 2]);
    const refused = both.find((result) => result.exitCode === 2);
    expect(refused?.document.error.code).toBe('ATTEMPT_ALREADY_CLAIMED');
    expect(await startedAgents(made)).toHaveLength(1);
  });

  it('PL-1 marks workers that were left aside as skipped, and takes one up that a later command names', async () => {
    const made = await project();
    await createdRun(made);
    const rows = () => storedStatuses(made);
    expect(await rows()).toEqual({ implementer: 'pending', 'verifier-1': 'pending', 'report-writer': 'pending' });
    await dispatched(made, ['implementer']);
    expect(await rows()).toEqual({ implementer: 'completed', 'verifier-1': 'skipped', 'report-writer': 'skipped' });
    await dispatched(made, ['verifier-1']);
    expect(await rows()).toMatchObject({ 'verifier-1': 'completed', 'report-writer': 'skipped' });
  });

  it('AW-3 with --timeout leaves with 124 and names what goes on, at which a watch looks until it is stopped', async () => {
    const made = await project({ agents: { implementer: { as: 'hang' } } });
    await createdRun(made);
    await dispatched(made, ['implementer'], { wait: false });
    const timed = await runCliJson<{ running: readonly { label: string }[] }>(made, [
      'team',
      'await',
      '--timeout',
      '100ms',
    ]);
    expect(timed.exitCode).toBe(124);
    expect(timed.document.running.map((row) => row.label)).toEqual(['implementer']);
    const args = ['team', 'status', '--watch', '--json'];
    const watching = startCli(made, args);
    await once(watching.stdout, 'data');
    await runCliJson(made, ['team', 'stop']);
    const looks = (await watching).stdout.split('\n');
    expect(looks.length).toBeGreaterThan(1);
    for (const look of looks) checkDocument(args, JSON.parse(look));
  });
});

describe('team stop', () => {
  it('AW-6 ends the worker, settles it as stopped, and the run does not go on until the stop is lifted', async () => {
    const { agents, release } = heldAgents();
    const made = await project({ config: { team: SMALL_TEAM, agents } });
    const { runId } = await createdRun(made);
    await runCli(made, ['team', 'dispatch', '--workers', 'implementer', '--no-wait']);
    expect((await runCli(made, ['team', 'stop'])).exitCode).toBe(0);
    expect((await storedRun(made)).attempts[0]).toMatchObject({ status: 'stopped' });
    expect(await aliveOf(runId)).toEqual([]);
    const resumed = await runCliJson<Refusal>(made, ['run', 'resume']);
    expect([resumed.exitCode, resumed.document.error.code]).toEqual([2, 'RUN_STOPPED']);
    release();
    const lifted = await runCliJson<RunDocument>(made, ['run', 'resume', '--lift-stop']);
    expect([lifted.exitCode, lifted.document.state]).toEqual([0, 'verified']);
  });
});

describe('a translator', () => {
  it('TR-2 is dispatched once by two dispatchers at once, and never again from the same reservation', async () => {
    const made = await project({ config: { team: WITH_TRANSLATOR } });
    const { runId } = await createdRun(made);
    const early = await runCliJson<Refusal>(made, ['team', 'dispatch', '--workers', 'translator']);
    expect([early.exitCode, early.document.error.code]).toEqual([2, 'REPORT_MISSING']);
    await dispatched(made, ['implementer']);
    await dispatched(made, ['report-writer']);
    const args = ['team', 'dispatch', '--workers', 'translator', '--run', runId];
    const both = await Promise.all([1, 2].map(() => runCli(made, args)));
    expect(both.map((result) => result.exitCode).sort(byNumber)).toEqual([0, 2]);
    expect((await startedAgents(made)).filter((id) => id.includes('.translator.'))).toHaveLength(1);
    const again = await runCliJson<Refusal>(made, args);
    expect([again.exitCode, again.document.error.code]).toEqual([2, 'RESERVATION_NONE']);
  });
});

describe('a run in a worktree of its own', () => {
  it('TR-1 is translated alone at its end; the project stays as it was until it is applied, and no edit of a person is overwritten', async () => {
    const agents = { implementer: { as: 'declare', extraFile: 'src/one.js' } } as const;
    const made = await project({ agents, config: { team: WITH_TRANSLATOR } });
    const started = await runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md', '--isolation', 'worktree']);
    expect([started.exitCode, started.document.state]).toEqual([0, 'verified']);
    const workers = started.document.attempts.map((attempt) => attempt.workerId);
    expect(workers).toEqual(['implementer', 'report-writer', 'translator']);
    expect(await git(made.root, 'status', '--porcelain')).toBe('');

    await appendFile(join(made.root, 'src', 'one.js'), '// mine\n');
    const refused = await runCliJson<Refusal>(made, ['run', 'apply']);
    expect([refused.exitCode, refused.document.error.code]).toEqual([1, 'APPLY_CONFLICT']);
    expect(await git(made.root, 'diff', '--stat')).toContain('1 file changed, 1 insertion(+)');
    await git(made.root, 'checkout', '--', 'src/one.js');

    const apply = () =>
      runCliJson<{ applied: readonly string[]; unchanged: readonly string[] }>(made, ['run', 'apply']);
    expect(await apply()).toMatchObject({ exitCode: 0, document: { applied: ['src/one.js'], unchanged: [] } });
    expect(await git(made.root, 'status', '--porcelain')).toBe(' M src/one.js');
    const discarded = await runCliJson<{ kept: readonly string[] }>(made, ['run', 'discard']);
    expect(discarded.document.kept).toEqual(['src/one.js']);
    expect(await git(made.root, 'worktree', 'list')).not.toContain('.bailiwick');
  });
});
