import { appendFileSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    const digest: AuditTask = { kind: 'source-digest', worktree: root, exclude: [] };
    expect(await answersOf(runAlone, digest)).toEqual(await answersOf(runOnThreads, digest));
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
});
