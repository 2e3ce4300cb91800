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
function inShell(shell: string, args: readonly string[]): readonly string[] {
  const { stdout, stderr, status } = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: `${folder}/bin:${process.env['PATH']}`, HOME: folder, XDG_STATE_HOME: folder },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

type Complete = (...words: readonly string[]) => readonly string[];

const TIMEOUT = 60_000;

/** What every shell must offer; the names on the disk come from a real run. */
function offersWhatThereIs(complete: Complete): void {
  it('commands, flags and choices', { timeout: TIMEOUT }, () => {
    expect(complete('run', 'st')).toEqual(['start']);
    expect(complete('team', '')).toEqual(expect.arrayContaining(['dispatch', 'await', 'status', 'stop']));
    expect(complete('run', 'list', '--js')).toEqual(['--json']);
    expect(complete('team', 'dispatch', '--backend', 'cm')).toEqual(['cmux-pane']);
  });

  it('runs and workers', { timeout: TIMEOUT }, () => {
    expect(complete('run', 'show', '')).toEqual([runId]);
    expect(complete('team', 'stop', 'impl')).toEqual(['implementer']);
    expect(complete('team', 'dispatch', '--run', runId, '--workers', 'implementer,v')).toEqual([
      'implementer,verifier-1',
    ]);
  });

  it('files and folders where one is to be named, with spaces too', { timeout: TIMEOUT }, () => {
    expect(complete('run', 'start', 'task ')).toEqual(['task one.md']);
    expect(complete('run', 'list', '--project', 'ta').map((path) => path.replace(/\/$/, ''))).toEqual(['tasks']);
  });
}

/** A script of test/programs that completes as its shell does. */
function scriptOf(shell: string): string {
  return fileURLToPath(new URL(`../programs/complete.${shell}`, import.meta.url));
}

describe('bash completes', () => {
  const complete: Complete = (...words) => inShell('bash', ['--norc', scriptOf('bash'), ...words]);
  offersWhatThereIs(complete);

  it('a value after an equals sign, at which it takes words apart', { timeout: TIMEOUT }, () => {
    expect(complete('run', 'start', '--isolation', '=', 'w')).toEqual(['worktree']);
    expect(complete('run', 'show', '--run', '=')).toEqual([runId]);
  });

  it('nothing, and says nothing, where there is no such project', { timeout: TIMEOUT }, () => {
    expect(complete('run', 'show', '--project', '/no/such', '')).toEqual([]);
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh completes', () => {
  offersWhatThereIs((...words) => inShell('zsh', ['-f', scriptOf('zsh'), ...words]));
});

describe.skipIf(!isInstalled('fish'))('fish completes', () => {
  offersWhatThereIs((...words) => {
    const line = ['bailiwick', ...words.map((word) => word.replaceAll(' ', '\\ '))].join(' ');
    const rows = inShell('fish', ['--no-config', scriptOf('fish'), line]);
    return rows.map((row) => row.split('\t')[0]?.replaceAll('\\ ', ' ') ?? '');
  });
});
