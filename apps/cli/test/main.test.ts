import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseWords } from './support/parse-words.ts';
import { MAIN, runMain } from './support/run-node.ts';
import { tempFolder } from './support/temp-folder.ts';

const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** A Node that is too old for the command line, where this machine has one. */
const OLD_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((path) => /^v(?:1\d|2[01])\./.test(spawnSync(path, ['--version'], { encoding: 'utf8', env: {} }).stdout ?? ''));

/** The one document that a command printed; more than one, or anything else, is no JSON. */
function documentOf(stdout: string): Readonly<Record<string, unknown>> {
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
}

describe('the built command line', () => {
  it.each(['--version', '-V'])('says its version with %s, and nothing else', async (flag) => {
    expect(await runMain(tempFolder(), [flag])).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it.skipIf(OLD_NODE === undefined)(
    'says its version on an old Node, and what it needs (with an old Node on PATH)',
    () => {
      const run = (flag: string) => spawnSync(OLD_NODE ?? '', [MAIN, flag], { encoding: 'utf8', env: {} });
      expect(run('--version')).toMatchObject({ status: 0, stdout: `${VERSION}\n`, stderr: '' });
      expect(run('--help')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error Node [\d.]+ won't do: .*\n$/),
      });
    },
  );

  it('helps with --help of a command, and exits 0', async () => {
    const { exitCode, stdout, stderr } = await runMain(tempFolder(), ['team', 'dispatch', '--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: bailiwick team dispatch');
  });

  it.each([[['run', 'strat'], /start/] as const, [[], /Usage/] as const])(
    'refuses %j with exit code 2 and without a stack trace',
    async (args, words) => {
      const { exitCode, stdout, stderr } = await runMain(tempFolder(), args);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(words);
      expect(stderr).not.toContain('    at ');
    },
  );

  it('with --json says of a wrong usage what is wrong in one JSON document', async () => {
    const { exitCode, stdout } = await runMain(tempFolder(), ['team', 'await', '--timeout', 'soon', '--json']);
    expect([exitCode, documentOf(stdout)]).toEqual([
      2,
      { error: { code: 'USAGE', message: expect.stringMatching(/90s, 10m or 2h/) } },
    ]);
  });

  it.each([
    ['a command that there is not', ['run', 'strat'], /start/],
    ['an option that there is not', ['run', 'list', '--jsno'], /--json/],
    ['an argument that is missing', ['run', 'start'], /task/],
    ['a duration that is none', ['team', 'await', '--timeout', '10'], /90s, 10m or 2h/],
    ['a number that is none', ['run', 'resume', '--max-concurrent', '0'], /whole number/],
    ['a cost that is none', ['run', 'start', 'T.md', '--max-cost', '0'], /US dollars above 0/],
    ['a choice that there is not', ['run', 'start', 'T.md', '--isolation', 'vm'], /tree.*worktree/],
    ['no command at all', [], /Usage/],
  ] as const)('takes %s for a wrong usage, and says why', async (_, args, words) => {
    const { stdout, stderr, error } = await parseWords(args);
    expect([error.exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(words);
    expect(error.message).toMatch(/./);
    expect(stderr).not.toContain('    at ');
  });

  it('helps with --help, which is no wrong usage', async () => {
    const { stdout, stderr, error } = await parseWords(['--help']);
    expect([error.exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: bailiwick');
  });

  it.each([
    ['run', 'list'],
    ['init', '--yes'],
  ])('outside a repository refuses %s %s by code in one JSON document, and writes nothing', async (...args) => {
    const folder = tempFolder();
    const { exitCode, stdout, stderr } = await runMain(folder, [...args, '--json']);
    expect([exitCode, documentOf(stdout), stderr]).toEqual([
      2,
      { error: expect.objectContaining({ code: 'NOT_A_REPOSITORY', hint: expect.stringContaining('--project') }) },
      '',
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lists the models of the pool in one JSON document, outside a repository too', async () => {
    const { exitCode, stdout } = await runMain(tempFolder(), ['models', 'list', '--json']);
    expect(exitCode).toBe(0);
    expect(documentOf(stdout)['models']).toContainEqual(expect.objectContaining({ modelRef: 'claude/sonnet' }));
  });

  it('does not list the shipped models alone where the project’s config can’t be used, but says so', async () => {
    const folder = tempFolder();
    spawnSync('git', ['init', '--quiet', folder]);
    mkdirSync(`${folder}/.bailiwick`);
    writeFileSync(`${folder}/.bailiwick/config.json`, '{"schemaVersion":"1.0"}');
    const { exitCode, stdout } = await runMain(folder, ['models', 'list', '--json']);
    expect([exitCode, documentOf(stdout)['error']]).toEqual([2, expect.objectContaining({ code: 'CONFIG_INVALID' })]);
  });

  it('prints the findings of doctor as one JSON document, and exits 1 where one of them fails', async () => {
    const { exitCode, stdout } = await runMain(tempFolder(), ['doctor', '--json']);
    const { holds, findings } = documentOf(stdout);
    expect(exitCode).toBe(holds === true ? 0 : 1);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'git', level: 'ok' }));
  });

  it('init writes a config into a repository that has no folder of ours yet, and refuses to do it twice', async () => {
    const folder = tempFolder();
    spawnSync('git', ['init', '--quiet', folder]);
    const agent = `${folder}/bin`;
    mkdirSync(agent);
    writeFileSync(`${agent}/claude`, '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${agent}:${process.env['PATH']}` };
    const first = await runMain(folder, ['init', '--yes', '--json'], env);
    expect([first.exitCode, documentOf(first.stdout)['path']]).toEqual([0, `${folder}/.bailiwick/config.json`]);
    const second = await runMain(folder, ['init', '--yes', '--json'], env);
    expect([second.exitCode, documentOf(second.stdout)['error']]).toEqual([
      2,
      expect.objectContaining({ code: 'CONFIG_EXISTS' }),
    ]);
  });
});
