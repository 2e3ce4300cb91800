import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runMain } from '../support/run-node.ts';
import { lastingTempFolder } from '../support/temp-folder.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let folder: string;
let runId: string;

/** A project with a run in it, two files, and the command line on PATH under its name. */
beforeAll(async () => {
  folder = lastingTempFolder();
  spawnSync('git', ['init', '--quiet', folder]);
  mkdirSync(`${folder}/bin`);
  mkdirSync(`${folder}/tasks`);
  writeFileSync(`${folder}/bin/claude`, '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(`${folder}/bin/bailiwick`, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
  writeFileSync(`${folder}/task one.md`, '# Fix it\n');
  const env = { PATH: `${folder}/bin:${process.env['PATH']}` };
  await runMain(folder, ['init', '--yes', '--json'], env);
  const created = await runMain(folder, ['run', 'create', 'task one.md', '--json'], env);
  runId = JSON.parse(created.stdout).runId;
}, 60_000);

/** What a shell prints, in the project. */
function inShell(shell: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, HOME: folder, XDG_STATE_HOME: folder },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** A line's words, the last of which is being typed, and what is offered. */
type Line = readonly [words: readonly string[], offered: unknown];

/** Lines by what they show. The names on the disk come from a real run. */
type Asked = Readonly<Record<string, (run: string) => readonly Line[]>>;

/** What every shell must offer. */
const WHAT_THERE_IS: Asked = {
  'commands, flags and choices': () => [
    [['run', 'st'], ['start']],
    [['team', ''], expect.arrayContaining(['dispatch', 'await', 'status', 'stop'])],
    [['run', 'list', '--js'], ['--json']],
    [['team', 'dispatch', '--backend', 'cm'], ['cmux-pane']],
  ],
  'runs and workers': (run) => [
    [['run', 'show', ''], [run]],
    [['team', 'stop', 'impl'], ['implementer']],
    [['team', 'dispatch', '--run', run, '--workers', 'implementer,v'], ['implementer,verifier-1']],
  ],
  'files and folders where one is to be named, with spaces too': () => [
    [['run', 'start', 'task '], ['task one.md']],
    [['run', 'list', '--project', 'ta'], [expect.stringMatching(/^tasks\/?$/)]],
  ],
};

const ONLY_BASH: Asked = {
  'a value after an equals sign, at which it takes words apart': (run) => [
    [['run', 'start', '--isolation', '=', 'w'], ['worktree']],
    [['run', 'show', '--run', '='], [run]],
  ],
  'nothing, and says nothing, where there is no such project': () => [
    [['run', 'show', '--project', '/no/such', ''], []],
  ],
};

type Complete = (lines: readonly (readonly string[])[]) => readonly (readonly string[])[];

/** One start of the shell answers all lines: it would load the script anew for each. */
function offers(asked: Asked, complete: Complete): void {
  const offered = new Map<string, unknown>();
  beforeAll(() => {
    const lines = Object.values(asked).flatMap((linesOf) => linesOf(runId).map(([words]) => words));
    const answers = complete(lines);
    expect(answers).toHaveLength(lines.length);
    lines.forEach((words, index) => void offered.set(words.join(' '), answers[index]));
  }, 60_000);

  it.each(Object.entries(asked))('%s', (_, linesOf) => {
    for (const [words, expected] of linesOf(runId))
      expect([words, offered.get(words.join(' '))]).toEqual([words, expected]);
  });
}

/** What a script of test/programs, which completes as its shell does, says of each line. */
function answersOf(shell: string, options: readonly string[], args: readonly string[]): readonly (readonly string[])[] {
  const script = fileURLToPath(new URL(`../programs/complete.${shell}`, import.meta.url));
  const answers = inShell(shell, [...options, script, ...args]).split(/^;;\n/m);
  return answers.slice(0, -1).map((rows) => rows.split('\n').filter((row) => row !== ''));
}

describe('bash completes', () => {
  offers({ ...WHAT_THERE_IS, ...ONLY_BASH }, (lines) => answersOf('bash', ['--norc'], lines.flatMap(ended)));
});

describe.skipIf(!isInstalled('zsh'))('zsh completes', () => {
  offers(WHAT_THERE_IS, (lines) => answersOf('zsh', ['-f'], lines.flatMap(ended)));
});

describe.skipIf(!isInstalled('fish'))('fish completes', () => {
  offers(WHAT_THERE_IS, (lines) => {
    const typed = lines.map((words) => ['bailiwick', ...words.map((word) => word.replaceAll(' ', '\\ '))].join(' '));
    const answers = answersOf('fish', ['--no-config'], typed);
    return answers.map((rows) => rows.map((row) => row.split('\t')[0]?.replaceAll('\\ ', ' ') ?? ''));
  });
});

function ended(words: readonly string[]): readonly string[] {
  return [...words, ';;'];
}
