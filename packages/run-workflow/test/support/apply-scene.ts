import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { createRun } from '@bailiwick/dispatch-state';
import { type ChangedPath, compareWithSnapshot, takeSnapshot } from '@bailiwick/mutation-audit';
import type { StoredRun } from '../../src/index.ts';
import { git, gitRepository, writeFiles } from './git-repository.ts';
import { auditWith, completedRecord, projectAt, type SampleRun, sampleRun } from './sample-run.ts';
import { tempFolder } from './temp-folder.ts';

/** A run in a worktree of its own, whose implementer changed something there, and that was verified. */
export interface AppliedScene {
  readonly root: string;
  readonly worktree: string;
  readonly project: ReturnType<typeof projectAt>;
  readonly run: StoredRun;
}

/**
 * Makes the project with these files and the worktree, lets `work` change the worktree, and records what a real comparison saw.
 * `folders`: the worktree is a copy, which is all that applying looks at; `git`: it is a worktree.
 */
export async function appliedScene(
  files: Readonly<Record<string, string>>,
  work: (worktree: string) => Promise<void>,
  as: 'folders' | 'git' = 'folders',
): Promise<AppliedScene> {
  const root = as === 'git' ? await gitRepository({ ...files, '.gitignore': '.bailiwick/\n' }) : tempFolder();
  const project = projectAt(root, as === 'git' ? await git(root, 'rev-parse', 'HEAD') : '0'.repeat(40));
  const sample = sampleRun(project, { isolation: 'worktree' });
  const { worktree, branch, baseCommit } = sample.manifest;
  if (worktree === null || branch === null || baseCommit === null) throw new Error('it is a run in a worktree');
  await mkdir(project.stateRoot, { recursive: true });
  if (as === 'git') await git(root, 'worktree', 'add', '--quiet', '-b', branch, worktree, baseCommit);
  else for (const folder of [root, worktree]) await writeFiles(folder, files);
  await createRun(sample.layout, sample.manifest);
  const snapshotPath = join(sample.layout.snapshotsFolder, 'b-1.snap');
  await takeSnapshot({ roots: [{ path: worktree, git: as === 'git' ? 'auto' : 'none' }], snapshotPath, exclude: [] });
  await work(worktree);
  const { changes } = await compareWithSnapshot({ snapshotPath });
  const changedPaths = changes.map(
    (change): ChangedPath => ({
      path: typeof change.path === 'string' ? change.path.slice(root.length + 1) : change.path,
      kind: change.kind,
      attribution: 'exclusive',
      candidates: [],
      beforeDigest: change.beforeDigest,
      afterDigest: change.afterDigest,
    }),
  );
  return { root, worktree, project, run: { ...sample, records: recordsOf(sample, changedPaths), unreadable: [] } };
}

function recordsOf(sample: SampleRun, changedPaths: readonly ChangedPath[]): readonly DispatchRecord[] {
  const contract = { audited: true, audit: auditWith({ changedPaths, sourceChanged: true }) };
  return [
    completedRecord(sample, 'implementer', { contract }, { at: 0 }),
    completedRecord(sample, 'verifier-1', {}, { at: 10 }),
    completedRecord(sample, 'verifier-2', {}, { at: 10 }),
    completedRecord(sample, 'report-writer', {}, { at: 20 }),
  ];
}
