import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithSnapshot, takeSnapshot } from '@bailiwick/mutation-audit';
import { git } from '@bailiwick/test-harness';
import type { Benchmark, Sides } from './measure.ts';

const FILES = Number(process.env['BAILIWICK_BENCH_FILES'] ?? 20_000);
const FILES_PER_FOLDER = 40;

/** The audit's baseline: every entry, ignored ones and folders too, on disk and flushed. */
export const SNAPSHOT: Benchmark = {
  name: 'snapshot',
  work: `snapshot of ${FILES} files, written and flushed`,
  floorName: 'git status --porcelain=v2 -uall',
  bar: 1.3,
  run: (use) =>
    withTree(async (root) => {
      // A baseline is never replaced: each round writes its own.
      let round = 0;
      const nextPath = (): string => join(root, '..', `bench-${round++}.snap`);
      const ours = () => takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath: nextPath(), exclude: [] });
      return withStatus(root, (floor) => use({ ours, floor }));
    }),
};

/** The comparison with the baseline, with 70 files that differ: 50 edited, 20 new. */
export const COMPARE: Benchmark = {
  name: 'compare',
  work: `comparison of ${FILES} files with their snapshot, 70 of them changed`,
  floorName: 'git status --porcelain=v2 -uall',
  bar: 0.9,
  run: (use) =>
    withTree(async (root) => {
      const snapshotPath = join(root, '..', 'bench.snap');
      await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
      change(root);
      return withStatus(root, (floor) => use({ ours: () => compare(snapshotPath), floor }));
    }),
};

const STATUS = 'while read -r _; do git -C "$0" status --porcelain=v2 -uall >/dev/null; echo $?; done';

/**
 * `git status`, started by a small shell that stays: started from here, it would have all of this process's memory written anew, page by
 * page, and our next round would pay for that.
 */
async function withStatus<T>(root: string, use: (status: Sides['floor']) => Promise<T>): Promise<T> {
  const shell = spawn('/bin/sh', ['-c', STATUS, root], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    return await use(async () => {
      shell.stdin.write('\n');
      const [code] = await once(shell.stdout, 'data');
      if (String(code) !== '0\n') throw new Error(`git status ended with ${code}`);
    });
  } finally {
    shell.stdin.end();
  }
}

async function compare(snapshotPath: string): Promise<void> {
  const { changes } = await compareWithSnapshot({ snapshotPath });
  const files = changes.filter((row) => row.fileType === 'file').length;
  if (files !== 70) throw new Error(`the comparison saw ${files} changed files, not 70`);
}

/** A committed tree of so many files, for as long as `use` takes. */
export async function withTree<T>(use: (root: string) => Promise<T>, files = FILES): Promise<T> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-bench-')));
  const root = join(base, 'tree');
  try {
    fill(root, files);
    await git(root, 'init', '--quiet');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message', 'all');
    return await use(root);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

function fill(root: string, files: number): void {
  for (let at = 0; at < files; at += 1) {
    const folder = folderOf(root, at);
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.txt`), `${at}\n`.repeat(1 + (at % 400)));
  }
}

function change(root: string): void {
  for (let at = 0; at < 50; at += 1) writeFileSync(join(folderOf(root, at * 7), `file-${at * 7}.txt`), 'edited\n');
  for (let at = 0; at < 20; at += 1) writeFileSync(join(root, `new-${at}.txt`), 'new\n');
}

function folderOf(root: string, at: number): string {
  const group = Math.floor(at / FILES_PER_FOLDER);
  return join(root, `part-${group % 50}`, `folder-${group}`);
}
