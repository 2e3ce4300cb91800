import { describe, expect, it } from 'vitest';
import { runProgram } from './support/run-node.ts';

const RED_OR_DIM = '\u001b[';

describe('what a command prints', () => {
  it('with --json is exactly one JSON document on stdout, in one line, and progress on stderr', async () => {
    const { stdout, stderr } = await runProgram('print-output', ['--json']);
    expect(stdout).toBe('{"schemaVersion":"1.0","runId":"two\\nlines","applied":["a"],"unchanged":[]}\n');
    expect(stderr).toBe('· on its way\n');
  });

  it('with --json is one JSON document for an error too, without the exit code, and nothing on stderr but progress', async () => {
    const { stdout, stderr } = await runProgram('print-output', ['--json', '--fail']);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'X', message: 'it failed', path: '/there', hint: 'mend it' } });
    expect(stderr).toBe('· on its way\n');
  });

  it('is lines for a person, an error in three of them on stderr', async () => {
    expect(await runProgram('print-output', [])).toMatchObject({ stdout: 'one\ntwo\n' });
    const failed = await runProgram('print-output', ['--fail', '--quiet']);
    expect(failed).toMatchObject({ stdout: '', stderr: 'error it failed [X]\n   at /there\n   do mend it\n' });
  });

  it('has no progress with --quiet, and a stack trace only with --verbose', async () => {
    expect((await runProgram('print-output', ['--quiet'])).stderr).toBe('');
    expect((await runProgram('print-output', ['--fail'])).stderr).not.toContain('    at ');
    const verbose = await runProgram('print-output', ['--fail', '--verbose', '--json']);
    expect(verbose.stderr).toContain('print-output.ts');
    expect(JSON.parse(verbose.stdout)).toHaveProperty('error');
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, false],
  ])('into a pipe with %j has colours: %s', async (env, hasColors) => {
    const { stdout } = await runProgram('print-output', [], env);
    expect(stdout.includes(RED_OR_DIM)).toBe(hasColors);
  });

  it('with --json has no colours, whatever is forced', async () => {
    const { stdout } = await runProgram('print-output', ['--json'], { FORCE_COLOR: '1' });
    expect(stdout).not.toContain(RED_OR_DIM);
  });
});
