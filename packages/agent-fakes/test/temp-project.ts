import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

/** A committed repository with these files; without any, a copy of the example. */
export function makeProject(files?: Readonly<Record<string, string>>): TempProject {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent fakes-')));
  folders.push(top);
  const [root, aside] = [path.join(top, 'project'), path.join(top, 'aside')];
  mkdirSync(aside);
  if (files === undefined) cpSync(exampleProject(), root, { recursive: true });
  for (const [file, text] of Object.entries(files ?? {})) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  const git = (...words: readonly string[]) =>
    execFileSync('git', [...author, ...words], { cwd: root, encoding: 'utf8' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  return projectAt(root, aside, git);
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
