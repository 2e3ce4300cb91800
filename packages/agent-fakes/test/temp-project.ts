import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { exampleProject } from '../src/index.ts';

export interface TempProject {
  /** The repository, which is the agent's working folder. */
  readonly root: string;
  readonly resultPath: string;
  readonly workerResultPath: string;
  /** A folder of the test's own, beside the repository. */
  readonly aside: string;
  read(file: string): string;
  git(...words: readonly string[]): string;
  prompt(role: string, body?: string, headers?: Readonly<Record<string, string>>): string;
}

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Committed repositories by their files: a copy of one is cheaper than git's work for another. */
const committed = new Map<string, string>();

/** A committed repository with these files; without any, a copy of the example. */
export function makeProject(files?: Readonly<Record<string, string>>): TempProject {
  const top = newFolder();
  const [root, aside] = [path.join(top, 'project'), path.join(top, 'aside')];
  mkdirSync(aside);
  const key = JSON.stringify(files ?? 'the example');
  const known = committed.get(key);
  const original = known !== undefined && existsSync(known) ? known : commitFiles(newFolder(), files);
  committed.set(key, original);
  cpSync(original, root, { recursive: true });
  return projectAt(root, aside, (...words) => gitIn(root, words));
}

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent fakes-')));
  folders.push(folder);
  return folder;
}

function commitFiles(root: string, files: Readonly<Record<string, string>> | undefined): string {
  if (files === undefined) cpSync(exampleProject(), root, { recursive: true });
  for (const [file, text] of Object.entries(files ?? {})) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  gitIn(root, ['init', '--quiet', '--template=']);
  gitIn(root, ['add', '--all']);
  gitIn(root, ['commit', '--quiet', '--message', 'start']);
  return root;
}

function gitIn(root: string, words: readonly string[]): string {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  return execFileSync('git', [...author, ...words], { cwd: root, encoding: 'utf8' });
}

function projectAt(root: string, aside: string, git: TempProject['git']): TempProject {
  const resultPath = path.join(aside, 'out', 'result.json');
  const workerResultPath = path.join(aside, 'out', 'worker-result.md');
  return {
    root,
    aside,
    resultPath,
    workerResultPath,
    git,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    prompt: (role, body = 'Make the test pass.', headers = {}) => {
      const all = { Role: role, Task: 'Make the test pass', Model: 'opus', ...headers };
      const paths = { 'Result Path': resultPath, 'Worker Result Path': workerResultPath };
      const lines = Object.entries({ ...all, ...paths }).map(([name, value]) => `**${name}:** ${value}`);
      return `${lines.join('\n')}\n\n${body}\n`;
    },
  };
}

const SMALL_PACKAGE = JSON.stringify({ name: 'small', type: 'module', scripts: { test: 'node test/subject.test.js' } });

/** A project of one module and one test file, which is run without a runner's extra processes. */
export function makeSmallProject(source: string, test: string): TempProject {
  return makeProject({ 'package.json': SMALL_PACKAGE, 'src/subject.js': source, 'test/subject.test.js': test });
}

/** A project whose only test does nothing but pass. */
export function makePassingProject(): TempProject {
  return makeProject({
    'package.json': JSON.stringify({ name: 'passing', scripts: { test: 'exit 0' } }),
    'src/subject.js': 'export const answer = 42;\n',
  });
}
