import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AttemptTrial, type AttemptTrialEnd, testBoundary, tryAsAttempt } from '../../src/index.ts';

const PATH = process.env['PATH'] ?? '';
const tested = await testBoundary({ path: PATH });
const base = realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-trial-')));
const [work, userHome, folder] = ['work', 'home', 'own'].map((name) => join(base, name)) as [string, string, string];
for (const made of [work, userHome]) mkdirSync(made);
writeFileSync(join(userHome, '.gitconfig'), '');
afterAll(() => rmSync(base, { recursive: true, force: true }));

function tryScript(script: string, changes: Partial<AttemptTrial> = {}): Promise<AttemptTrialEnd> {
  const argv = ['sh', '-c', script];
  return tryAsAttempt({
    argv,
    env: { PATH },
    cwd: work,
    boundary: null,
    folder,
    userHome,
    timeoutMs: 30_000,
    ...changes,
  });
}

/** What is dead stays in the list until somebody has waited for it. */
function isAlive(pid: string): boolean {
  return existsSync(`/proc/${pid}`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('a command tried as an attempt', () => {
  it('has a HOME of its own, the user’s author of commits, and no variable besides', async () => {
    expect(await tryScript('cd "$HOME" && touch x && echo "$HOME|$GIT_CONFIG_GLOBAL|$USER" > "$OLDPWD/seen"')).toEqual({
      kind: 'ended-well',
    });
    expect(readFileSync(join(work, 'seen'), 'utf8')).toBe(`${join(folder, 'home')}|${join(userHome, '.gitconfig')}|\n`);
    expect(existsSync(folder)).toBe(false);
  });

  it('that fails is told by what it said last', async () => {
    expect(await tryScript('echo first >&2; echo last >&2; exit 3')).toEqual({ kind: 'failed', reason: 'last' });
    expect(await tryScript('exit 3')).toEqual({ kind: 'failed', reason: 'exit code 3' });
    expect(await tryScript('', { argv: ['/nonexistent/program'] })).toMatchObject({ kind: 'failed' });
  });

  it('that goes on, ignores signals and has children elsewhere is over at its time limit, with all of them', async () => {
    const began = performance.now();
    const script = 'trap "" TERM; setsid sh -c "trap \'\' TERM; echo \\$\\$ > child; exec sleep 300" & exec sleep 300';
    expect(await tryScript(script, { timeoutMs: 1_000 })).toEqual({ kind: 'failed', reason: 'not over after 1 s' });
    expect(performance.now() - began).toBeLessThan(15_000);
    const pid = readFileSync(join(work, 'child'), 'utf8').trim();
    expect(pid).toMatch(/^\d+$/);
    expect(isAlive(pid)).toBe(false);
  });

  it.skipIf(tested.kind !== 'works')('under bubblewrap writes where it may, and nowhere else', async () => {
    const program = tested.kind === 'works' ? tested.program : '';
    const boundary = { program, writable: [work], readOnly: [] };
    expect(await tryScript('echo in > inside && touch "$HOME/x"', { boundary })).toEqual({ kind: 'ended-well' });
    expect(readFileSync(join(work, 'inside'), 'utf8')).toBe('in\n');
    expect(await tryScript(`echo out > '${userHome}/outside'`, { boundary })).toMatchObject({ kind: 'failed' });
    expect(existsSync(join(userHome, 'outside'))).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });
});
