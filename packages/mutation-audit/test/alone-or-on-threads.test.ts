import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { MutationAuditError } from '../src/index.ts';
import { runOnThreads } from '../src/thread/audit-thread.ts';
import type { AuditAnswer, AuditTask } from '../src/thread/protocol.ts';
import { runAlone } from '../src/thread/run-alone.ts';
import { git, sampleRepository, tempFolder } from './support/git-tree.ts';

type Way = typeof runOnThreads | typeof runAlone;

/** Everything that a task answers, slices first. */
async function answersOf(way: Way, task: AuditTask): Promise<readonly AuditAnswer[]> {
  const slices: AuditAnswer[] = [];
  const last = await way(task, { onSlice: (slice) => slices.push(slice) });
  if (last === undefined) throw new Error('this tree was too large for the calling thread');
  return [...slices, last];
}

function changeMuch(root: string): void {
  appendFileSync(join(root, 'src/a.ts'), '// more\n');
  rmSync(join(root, 'README.md'), { force: true });
  writeFileSync(join(root, 'new file.txt'), 'new\n');
  symlinkSync('src', join(root, 'link'));
  git(root, 'config', 'alias.x', '!true');
  git(root, 'branch', 'other');
}

describe('a task in the calling thread and one on threads', () => {
  it('see the same: a snapshot of one way is no different to a comparison of the other', async () => {
    const root = sampleRepository();
    const folder = tempFolder('snapshot');
    const paths = { alone: join(folder, 'alone.snap'), threads: join(folder, 'threads.snap') };
    const snapshot = (snapshotPath: string): AuditTask => ({
      kind: 'snapshot',
      roots: [{ path: root, git: 'auto' }],
      snapshotPath,
      exclude: [],
    });
    await answersOf(runAlone, snapshot(paths.alone));
    await answersOf(runOnThreads, snapshot(paths.threads));
    changeMuch(root);
    const compare = (snapshotPath: string): AuditTask => ({ kind: 'compare', snapshotPath });
    const seen = await answersOf(runAlone, compare(paths.alone));
    expect(seen.some((answer) => answer.kind === 'slice' && (answer.slice.changes?.length ?? 0) >= 3)).toBe(true);
    expect(await answersOf(runOnThreads, compare(paths.alone))).toEqual(seen);
    expect(await answersOf(runAlone, compare(paths.threads))).toEqual(seen);
    expect(await answersOf(runAlone, digestTask(root))).toEqual(await answersOf(runOnThreads, digestTask(root)));
  });

  it('stay in the calling thread while they can be done in a few turns, however many folders that takes', async () => {
    const root = sampleRepository();
    mkdirSync(join(root, 'boxes'));
    for (let at = 0; at < 1_200; at += 1) mkdirSync(join(root, 'boxes', `box-${at}`));
    const snapshotPath = join(tempFolder('snapshot'), 'batch.snap');
    const task: AuditTask = { kind: 'snapshot', roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] };
    expect(await runAlone(task, {})).toMatchObject({ kind: 'snapshot' });
    writeFileSync(join(root, 'boxes/box-1199/new.txt'), 'new\n');
    const seen = await answersOf(runAlone, { kind: 'compare', snapshotPath });
    expect(JSON.stringify(seen)).toContain('boxes/box-1199/new.txt');
    expect(await answersOf(runOnThreads, { kind: 'compare', snapshotPath })).toEqual(seen);
  });

  it.each([
    ['all in one folder', () => 'all', 1_600],
    ['in many folders', (at: number) => `f${at % 97}`, 2_100],
  ])('go to the threads where there is too much to look at, %s', async (_, folderOf, count) => {
    const root = tempFolder('many');
    for (let at = 0; at < 97; at += 1) mkdirSync(join(root, folderOf(at)), { recursive: true });
    for (let at = 0; at < count; at += 1) mkdirSync(join(root, folderOf(at), `own-${at}`));
    const snapshotPath = join(tempFolder('snapshot'), 'batch.snap');
    const task: AuditTask = { kind: 'snapshot', roots: [{ path: root, git: 'none' }], snapshotPath, exclude: [] };
    expect(await runAlone(task, {})).toBeUndefined();
    expect(existsSync(snapshotPath)).toBe(false);
  });

  it('goes to the threads where a file is too large to be read in a turn, with nothing written before', async () => {
    const root = sampleRepository();
    writeFileSync(join(root, 'untracked.bin'), Buffer.alloc(300 * 1024, 1));
    const snapshotPath = join(tempFolder('snapshot'), 'batch.snap');
    const task: AuditTask = { kind: 'snapshot', roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] };
    expect(await runAlone(task, {})).toBeUndefined();
    expect(existsSync(snapshotPath)).toBe(false);
    expect((await answersOf(runOnThreads, task)).at(-1)).toMatchObject({ kind: 'snapshot' });
  });

  it('fail with the same code, message and cause where something unexpected happens', async () => {
    const task = digestTask(sampleRepository(), [7 as unknown as string]);
    const thrown = await Promise.all(
      [runAlone, runOnThreads].map((way) => answersOf(way, task).catch((e: unknown) => e)),
    );
    for (const error of thrown) {
      expect(error).toBeInstanceOf(MutationAuditError);
      expect(error).toMatchObject({ code: 'AUDIT_THREAD_FAILED', cause: expect.stringContaining('TypeError') });
    }
    expect(String(thrown[0])).toBe(String(thrown[1]));
  });
});

describe('tasks on threads that come at once', () => {
  it('share one crew, and each gets its own answer', async () => {
    const threads = new Set<Worker>();
    const count = { most: 0 };
    const onWorker = (thread: Worker): void => {
      threads.add(thread);
      count.most = Math.max(count.most, threads.size);
      thread.once('exit', () => threads.delete(thread));
    };
    process.on('worker', onWorker);
    try {
      const roots = [sampleRepository(), sampleRepository(), sampleRepository(), sampleRepository()];
      for (const [at, root] of roots.entries()) writeFileSync(join(root, 'own.txt'), `${at}\n`);
      const together = await Promise.all(roots.map((root) => answersOf(runOnThreads, digestTask(root))));
      const alone: (readonly AuditAnswer[])[] = [];
      for (const root of roots) alone.push(await answersOf(runAlone, digestTask(root)));
      expect(together).toEqual(alone);
      expect(new Set(together.map((answers) => JSON.stringify(answers))).size).toBe(roots.length);
      expect(count.most).toBeLessThanOrEqual(3);
    } finally {
      process.off('worker', onWorker);
    }
  });

  it('leave the queue at once when they are aborted, and hold up nobody behind them', async () => {
    const root = sampleRepository();
    const controller = new AbortController();
    const order: string[] = [];
    const first = runOnThreads(digestTask(root), {}).then(() => order.push('first'));
    const second = runOnThreads(digestTask(root), { signal: controller.signal }).catch((reason: unknown) =>
      order.push(String(reason)),
    );
    const third = runOnThreads(digestTask(root), {}).then(() => order.push('third'));
    controller.abort('enough');
    await Promise.all([first, second, third]);
    expect(order).toEqual(['enough', 'first', 'third']);
  });
});

function digestTask(worktree: string, exclude: readonly string[] = []): AuditTask {
  return { kind: 'source-digest', worktree, exclude };
}
