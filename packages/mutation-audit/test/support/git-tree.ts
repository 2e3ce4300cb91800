import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temp folder that goes when the test does. */
export function tempFolder(name = 'mutation-audit'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Real git with a fixed author and no configuration of the machine. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', [...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'protocol.file.allow',
      GIT_CONFIG_VALUE_0: 'always',
    },
  });
}

/** Writes a file and the folders above it. */
export function write(root: string, path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

/** A repository with one commit and ignored, untracked and tracked files; its index is settled. */
export function sampleRepository(o: { objectFormat?: 'sha1' | 'sha256' } = {}): string {
  const root = join(tempFolder(), 'tree');
  cpSync(templateOf(o.objectFormat ?? 'sha1'), root, { recursive: true });
  // The index knows the files by their inodes.
  git(root, 'status', '--porcelain');
  return root;
}

const templates = new Map<string, string>();

/** Made once, then copied: git is started a hundred times less often. */
function templateOf(objectFormat: string): string {
  const known = templates.get(objectFormat);
  if (known !== undefined) return known;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mutation-audit-template-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'tree');
  makeSample(root, objectFormat);
  templates.set(objectFormat, root);
  return root;
}

function makeSample(root: string, objectFormat: string): void {
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main', `--object-format=${objectFormat}`);
  write(root, '.gitignore', '*.log\nbuild/\n');
  write(root, 'src/a.ts', 'export const a = 1;\n');
  write(root, 'src/b.ts', 'export const b = 2;\n');
  write(root, 'src/deep/c.ts', 'export const c = 3;\n');
  write(root, 'run.sh', '#!/bin/sh\nexit 0\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'first');
  write(root, 'build/out.js', 'built\n');
  write(root, 'trace.log', 'log\n');
  write(root, 'note.txt', 'untracked\n');
}
