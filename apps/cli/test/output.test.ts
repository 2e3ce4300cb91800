import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../src/error-report.ts';
import { createOutput, errorLines } from '../src/output.ts';
import { printAll } from './support/print-all.ts';
import { runProgram } from './support/run-node.ts';

const RED_OR_DIM = '\u001b[';

/** What goes to a pipe, or to a terminal, of a process with this environment. */
function print(flags: readonly string[], env: Readonly<Record<string, string>> = {}, isTTY = false) {
  const told = { stdout: '', stderr: '' };
  const streamOf = (name: keyof typeof told) => ({
    isTTY,
    write(text: string) {
      told[name] += text;
    },
  });
  printAll(flags, (options) => createOutput(options, { stdout: streamOf('stdout'), stderr: streamOf('stderr'), env }));
  return told;
}

describe('what a command prints', () => {
  it('goes to the streams of its process, by the environment of that', async () => {
    expect(await runProgram('print-output', [])).toMatchObject({ stdout: 'one\ntwo\n', stderr: '· on its way\n' });
    const forced = await runProgram('print-output', ['--fail'], { FORCE_COLOR: '1' });
    expect(forced).toMatchObject({ stdout: '', stderr: expect.stringContaining(`${RED_OR_DIM}31merror`) });
  });

  it('with --json is exactly one JSON document on stdout, in one line, and progress on stderr', () => {
    const { stdout, stderr } = print(['--json']);
    expect(stdout).toBe('{"schemaVersion":"1.0","runId":"two\\nlines","applied":["a"],"unchanged":[]}\n');
    expect(stderr).toBe('· on its way\n');
  });

  it('with --json is one JSON document for an error too, without the exit code, and nothing on stderr but progress', () => {
    const { stdout, stderr } = print(['--json', '--fail']);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'X', message: 'it failed', path: '/there', hint: 'mend it' } });
    expect(stderr).toBe('· on its way\n');
  });

  it('is lines for a person, an error in three of them on stderr', () => {
    expect(print([])).toMatchObject({ stdout: 'one\ntwo\n' });
    const failed = print(['--fail', '--quiet']);
    expect(failed).toEqual({ stdout: '', stderr: 'error it failed [X]\n   at /there\n   do mend it\n' });
  });

  it('says no path and no hint of an error twice', () => {
    const facts = { code: 'FILE_MISSING', path: '/there', hint: 'Mend it' };
    const error = Object.assign(new Error('the file is not there: /there. Mend it'), facts);
    expect(errorLines(reportOf(error), createColors(false))).toEqual([
      'error the file is not there: /there [FILE_MISSING]',
      '   do Mend it',
    ]);
  });

  it('has no progress with --quiet, and a stack trace only with --verbose', () => {
    expect(print(['--quiet']).stderr).toBe('');
    expect(print(['--fail']).stderr).not.toContain('    at ');
    const verbose = print(['--fail', '--verbose', '--json']);
    expect(verbose.stderr).toContain('print-all.ts');
    expect(JSON.parse(verbose.stdout)).toHaveProperty('error');
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, false],
  ])('into a pipe with %j has colours: %s', (env, hasColors) => {
    expect(print([], env).stdout.includes(RED_OR_DIM)).toBe(hasColors);
  });

  it('onto a terminal has colours, without NO_COLOR', () => {
    expect(print([], {}, true).stdout).toContain(RED_OR_DIM);
    expect(print([], { NO_COLOR: '1' }, true).stdout).not.toContain(RED_OR_DIM);
  });

  it('with --json has no colours, whatever is forced', () => {
    const { stdout } = print(['--json'], { FORCE_COLOR: '1' });
    expect(stdout).not.toContain(RED_OR_DIM);
  });
});
