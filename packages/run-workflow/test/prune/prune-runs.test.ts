import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropBoxOf } from '@bailiwick/dispatch';
import { batchLockPathOf, openMarkerOf, type RunLayout, writeUnaudited } from '@bailiwick/dispatch-state';
import { tryLock } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { applyRun, type Project, type PruneRequest, pruneRuns, readRun } from '../../src/index.ts';
import { appliedScene } from '../support/apply-scene.ts';
import { codeOf } from '../support/errors.ts';
import { commitFiles, git, writeFiles } from '../support/git-repository.ts';
import { failedRecord, launchingRecord, type SampleRun } from '../support/sample-run.ts';
import { bareProject, storeRecord, storeRun } from '../support/stored-run.ts';
import { completedUnaudited, launchingUnaudited, storeUnaudited } from '../support/unaudited-record.ts';

const RUNS = ['r-20261101-000000-aaaaaa', 'r-20261102-000000-bbbbbb', 'r-20261103-000000-cccccc'] as const;
const FAILED = (run: SampleRun) => [failedRecord(run, 'implementer', 'exited')];

async function fates(project: Project, o: Partial<PruneRequest> = {}): Promise<Readonly<Record<string, string>>> {
  const request = { named: [], olderThanMs: 0, now: new Date('2026-11-29T17:00:00.000Z'), removes: false, ...o };
  const rows = await pruneRuns(project, request);
  return Object.fromEntries(
    rows.map(({ runId, fate, reason }) => [runId, reason === '' ? fate : `${fate}: ${reason}`]),
  );
}

function foldersOf({ locksFolder }: RunLayout): readonly string[] {
  return readdirSync(join(locksFolder, '..', '..'));
}

describe('pruning', () => {
  it('changes nothing unless it is asked to; then settled runs are gone with their drop boxes, and nothing else is', async () => {
    const project = bareProject();
    const [done, due, running] = RUNS;
    const { layout, records, manifest } = await storeRun(project, { runId: done, records: FAILED });
    const box = dropBoxOf(manifest.projectRoot, records[0]?.invocationRef ?? fail());
    await mkdir(box, { recursive: true });
    await writeFile(join(box, 'result.json'), '{}');
    await storeRun(project, { runId: due });
    await storeRun(project, { runId: running, records: (run) => [launchingRecord(run, 'implementer')] });
    const before = await fates(project);
    expect(before).toEqual({
      [done]: 'may-go',
      [due]: expect.stringContaining('a phase of it is to come'),
      [running]: 'stays: an attempt is not settled',
    });
    expect([existsSync(box), foldersOf(layout)]).toEqual([true, [...RUNS]]);
    expect((await fates(project, { removes: true }))[done]).toBe('gone');
    expect([existsSync(box), foldersOf(layout)]).toEqual([false, [due, running]]);
    expect(await readdir(project.stateRoot)).not.toContain('pruned');
    expect(await fates(project, { named: [due], removes: true })).toEqual({ [due]: 'gone' });
    expect(await codeOf(() => fates(project, { named: [due] }))).toBe('RUN_UNKNOWN');
  });

  it('leaves a run alone while a v1 job of it isn’t settled, also one that is named; then it goes with that one’s drop box', async () => {
    const project = bareProject();
    const [alive] = RUNS;
    const run = await storeRun(project, { runId: alive, records: FAILED });
    const record = completedUnaudited(run);
    await storeUnaudited(run, launchingUnaudited(run));
    await mkdir(record.dropBoxPath, { recursive: true });
    const stays = { [alive]: 'stays: an unaudited attempt is not settled' };
    expect(await fates(project, { removes: true })).toEqual(stays);
    expect(await fates(project, { named: [alive], removes: true })).toEqual(stays);
    await writeUnaudited(run.layout, record);
    expect(await fates(project, { olderThanMs: 30 * 60_000, now: new Date('2026-11-29T16:50:00.000Z') })).toEqual({
      [alive]: 'stays: it is younger than asked for',
    });
    expect([await fates(project, { removes: true }), existsSync(record.dropBoxPath)]).toEqual([
      { [alive]: 'gone' },
      false,
    ]);
  });

  it('leaves a run alone that is younger than asked for, that somebody works on, or that can’t be read', async () => {
    const project = bareProject();
    const [young, alive, damaged] = RUNS;
    await storeRun(project, { runId: young, records: FAILED });
    const one = await storeRun(project, { runId: alive, records: FAILED });
    const other = await storeRun(project, { runId: damaged, records: FAILED });
    const lock = tryLock(batchLockPathOf(one.layout, one.records[0]?.batchId ?? fail(), 'live')) ?? fail();
    const [record = ''] = await readdir(other.layout.dispatchesFolder);
    await writeFile(join(other.layout.dispatchesFolder, record), '{"half":');
    try {
      const hourMs = 3_600_000;
      expect(await fates(project, { removes: true, olderThanMs: hourMs })).toEqual({
        [young]: 'stays: it is younger than asked for',
        [alive]: 'stays: a command or a supervisor of it lives',
        [damaged]: expect.stringContaining('a record can’t be read'.replace('’', "'")),
      });
    } finally {
      lock.release();
    }
    await writeFile(openMarkerOf(one.layout, one.records[0]?.dispatchId ?? fail()), '');
    expect((await fates(project))[alive]).toBe('stays: an attempt is not settled');
  });

  it('keeps a worktree whose changes the project has not, and takes it away with its branch once it has', async () => {
    const scene = await appliedScene(
      { 'src/cart.js': 'one\n' },
      async (worktree) => writeFiles(worktree, { 'src/cart.js': 'two\n', 'new.js': 'new\n' }),
      'git',
    );
    const { project, root, run, worktree } = scene;
    for (const record of run.records) await storeRecord(run, record);
    const { runId } = run.manifest;
    expect((await fates(project, { removes: true }))[runId]).toContain('its worktree has changes');
    await applyRun(await readRun(project, runId));
    await commitFiles(worktree, { 'new.js': 'new\n' });
    expect((await fates(project, { removes: true }))[runId]).toContain('its branch has commits');
    await git(worktree, 'reset', '--quiet', 'HEAD~1');
    expect((await fates(project, { removes: true }))[runId]).toBe('gone');
    expect([existsSync(worktree), await git(root, 'branch', '--list', 'bailiwick/*')]).toEqual([false, '']);
    expect(await git(root, 'status', '--porcelain')).toContain('src/cart.js');
  });

  it('keeps what a discard kept', async () => {
    const project = bareProject();
    const { layout } = await storeRun(project, { runId: RUNS[0], records: FAILED });
    await mkdir(join(layout.runDirectory, 'discarded'));
    expect((await fates(project))[RUNS[0]]).toBe('may-go');
    await writeFile(join(layout.runDirectory, 'discarded', 'kept.js'), 'kept');
    expect((await fates(project))[RUNS[0]]).toContain('run discard');
  });
});

function fail(): never {
  throw new Error('the sample run has it');
}
