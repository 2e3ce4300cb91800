import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Behaviour, type FakeAgentRequest, fakeAgentCommand } from '../src/index.ts';
import { type FinishedRun, parseEvents, runFakeAgent, startFakeAgent } from './fake-agent-run.ts';
import { type HostedRun, runHosted } from './hosted-run.ts';
import { makePassingProject, makeProject, makeSmallProject, type TempProject } from './temp-project.ts';

type Told = Omit<FakeAgentRequest, 'speak'>;

/** What it does and says, which takes no process of its own, nor one for a test where an analyst will do. */
function run(project: TempProject, told: Told, role = 'analyst'): Promise<HostedRun> {
  return runHosted({ speak: 'claude', ...told }, { cwd: project.root, prompt: project.prompt(role) });
}

/** For pipes, signals and exits. */
function runProgram(project: TempProject, told: Told): Promise<FinishedRun> {
  return start(project, told).finished;
}

function start(project: TempProject, told: Told) {
  return startFakeAgent({ speak: 'claude', ...told }, { cwd: project.root, prompt: project.prompt('verifier') });
}

function hasEndedWell(finished: HostedRun): boolean {
  return finished.events.some((event) => event['type'] === 'result' && event['is_error'] === false);
}

describe('behaviours', () => {
  it('every one has a name that the tests below know', () => {
    expect(Object.values(Behaviour)).toEqual([
      'work',
      'nothing',
      'silent',
      'half',
      'no-result-once',
      'meddle',
      'declare',
      'stray',
      'flood',
      'noise',
      'ignore-sigterm',
      'grandchild',
      'signal',
      'hang',
      'drip',
      'wrong-model',
      'model-change',
      'api-error',
      'outside',
      'commit',
      'slow',
    ]);
  });

  it('nothing ends well and has written nothing', async () => {
    const project = makeProject();
    const finished = await run(project, { as: 'nothing' }, 'implementer');
    expect([finished.exitCode, hasEndedWell(finished)]).toEqual([0, true]);
    expect([project.git('status', '--porcelain'), readdirSync(project.aside)]).toEqual(['', []]);
  });

  it('silent exits 0 without a byte', async () => {
    const finished = await run(makePassingProject(), { as: 'silent' });
    expect([finished.exitCode, finished.output.length]).toEqual([0, 0]);
  });

  it('half leaves the first half of a source file, exits 1 and has no end event', async () => {
    const project = makeProject();
    const whole = project.read('src/bookings.js');
    const finished = await run(project, { as: 'half' }, 'implementer');
    expect(finished.exitCode).toBe(1);
    expect(finished.events.some((event) => event['type'] === 'result')).toBe(false);
    expect(project.read('src/bookings.js')).toBe(whole.slice(0, Math.floor(whole.length / 2)));
    expect(existsSync(project.resultPath)).toBe(false);
  });

  it('no-result-once ends well without a result the first time, and works the second time', async () => {
    const project = makePassingProject();
    const told = { as: 'no-result-once', ledger: path.join(project.aside, 'ledger') } as const;
    const first = await run(project, told);
    expect([first.exitCode, hasEndedWell(first), existsSync(project.resultPath)]).toEqual([0, true, false]);
    const second = await run(project, told);
    expect([second.exitCode, hasEndedWell(second), existsSync(project.resultPath)]).toEqual([0, true, true]);
  });

  it('times limits any other behaviour to the first attempts of an invocation', async () => {
    const project = makePassingProject();
    const told = { as: 'api-error', times: 2, ledger: path.join(project.aside, 'ledger') } as const;
    const exitCodes = [await run(project, told), await run(project, told), await run(project, told)];
    expect(exitCodes.map(({ exitCode }) => exitCode)).toEqual([1, 1, 0]);
  });

  it('meddle verifies, edits a source file and adds a git alias', async () => {
    const project = makePassingProject();
    const finished = await run(project, { as: 'meddle' }, 'verifier');
    expect([finished.exitCode, hasEndedWell(finished)]).toEqual([0, true]);
    expect(project.git('status', '--porcelain')).toBe(' M src/subject.js\n');
    expect(project.git('config', '--get', 'alias.ship')).toBe('push --force\n');
    expect(JSON.parse(readFileSync(project.resultPath, 'utf8'))).toMatchObject({ verification: { verdict: 'pass' } });
  });

  it('declare edits a file outside the plan and declares it', async () => {
    const project = makePassingProject();
    await run(project, { as: 'declare' }, 'implementer');
    expect(project.git('status', '--porcelain')).toBe('?? NOTES.md\n');
    const { implementation } = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(implementation.outOfPlanEdits).toEqual([{ file: 'NOTES.md', reason: expect.any(String) }]);
  });

  it('stray edits a file outside the plan and says nothing', async () => {
    const project = makePassingProject();
    await run(project, { as: 'stray', extraFile: 'src/subject.js' }, 'implementer');
    expect(project.git('status', '--porcelain')).toBe(' M src/subject.js\n');
    const { implementation } = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(implementation.outOfPlanEdits).toEqual([]);
  });

  it('flood prints as many bytes of valid events as it was told, then works', async () => {
    const finished = await runProgram(makePassingProject(), { as: 'flood', floodBytes: 5_000_000 });
    expect(finished.output.length).toBeGreaterThan(5_000_000);
    expect([finished.exitCode, hasEndedWell(finished)]).toEqual([0, true]);
    expect(finished.output.toString('utf8').trimEnd().split('\n')).toHaveLength(finished.events.length);
  });

  it('noise prints what is no event between its events, and works', async () => {
    const project = makePassingProject();
    const finished = await runProgram(project, { as: 'noise' });
    expect([finished.exitCode, hasEndedWell(finished), existsSync(project.resultPath)]).toEqual([0, true, true]);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(finished.output)).toThrow(TypeError);
    const longest = Math.max(
      ...finished.output
        .toString('latin1')
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeGreaterThan(4_000_000);
    expect(finished.output.at(-1)).not.toBe(10);
  });

  it('ignore-sigterm is still there after SIGTERM and SIGINT', async () => {
    const { child, printed, finished } = start(makePassingProject(), { as: 'ignore-sigterm' });
    await printed(1);
    child.kill('SIGTERM');
    child.kill('SIGINT');
    const outcome = await Promise.race([finished, setTimeout(500, 'still there')]);
    expect(outcome).toBe('still there');
    child.kill('SIGKILL');
    expect(await finished).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('grandchild exits 0 after its work, while a process of another session holds its stdout', async () => {
    const project = makePassingProject();
    const { child, finished } = start(project, { as: 'grandchild' });
    const ended = await finished;
    expect([ended.exitCode, hasEndedWell(ended), existsSync(project.resultPath)]).toEqual([0, true, true]);
    const pid = Number(/grandchild (\d+) stays behind/.exec(ended.output.toString('utf8'))?.[1]);
    expect(process.kill(pid, 'SIGTERM')).toBe(true);
    expect(process.kill(pid, 0)).toBe(true);
    expect(child.stdout.closed).toBe(false);
    process.kill(pid, 'SIGKILL');
  });

  it('signal dies by SIGSEGV after its first event', async () => {
    const finished = await runProgram(makePassingProject(), { as: 'signal' });
    expect(finished).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
    expect(finished.events).toHaveLength(1);
  });

  it('hang prints one event, then nothing, and ends on SIGTERM as the CLI does', async () => {
    const { child, printed, finished } = start(makePassingProject(), { as: 'hang' });
    await printed(1);
    child.kill('SIGTERM');
    const ended = await finished;
    expect([ended.exitCode, ended.events.length]).toEqual([143, 1]);
  });

  it('drip goes on printing events', async () => {
    const { child, printed, finished } = start(makePassingProject(), { as: 'drip' });
    await printed(1500);
    child.kill('SIGKILL');
    expect((await finished).events.length).toBeGreaterThan(2);
  });

  it('outside writes beside its working folder', async () => {
    const project = makePassingProject();
    const finished = await run(project, { as: 'outside' });
    expect([finished.exitCode, hasEndedWell(finished)]).toEqual([0, true]);
    expect(readFileSync(path.join(project.root, '..', 'written-outside.txt'), 'utf8')).toBe('outside\n');
  });

  it('commit repairs and commits, so that HEAD moves and the tree is clean', async () => {
    const project = makeSmallProject(
      'export const isAdult = (age) => age > 18;\n',
      "import assert from 'node:assert/strict';\nimport { isAdult } from '../src/subject.js';\nassert.ok(isAdult(18));\n",
    );
    const finished = await run(project, { as: 'commit' }, 'implementer');
    expect(finished.exitCode).toBe(0);
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('2\n');
    expect(project.git('show', '--format=%s')).toMatch(/^Repaired src\/subject\.js:1[\s\S]*\n\+.*age >= 18/);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('slow works after its wait', async () => {
    const project = makePassingProject();
    const finished = await run(project, { as: 'slow', delayMs: 20 });
    expect([finished.exitCode, existsSync(project.resultPath)]).toEqual([0, true]);
  });
});

describe('the ledger', () => {
  it('gets one whole line per start, with the dispatch id and the pid, at once too and whatever happens after', async () => {
    const project = makePassingProject();
    const ledger = path.join(project.aside, 'ledger');
    const starts = ['a', 'b', 'c', 'd'].map((name) => {
      const id = `i-${name}~1:attempt-1`;
      const told = { cwd: project.root, env: { BAILIWICK_DISPATCH_ID: id } };
      return { id, ...startFakeAgent({ speak: 'pi', as: 'silent', ledger }, told) };
    });
    await Promise.all(starts.map(({ finished }) => finished));
    const lines = readFileSync(ledger, 'utf8').split('\n').toSorted();
    expect(lines).toEqual(['', ...starts.map(({ id, child }) => `${id} ${child.pid}`)]);
  });

  it('is written before the prompt has come', async () => {
    const project = makePassingProject();
    const ledger = path.join(project.aside, 'ledger');
    const [node = '', ...args] = fakeAgentCommand({ speak: 'pi', ledger });
    const child = spawn(node, args, { cwd: project.root, stdio: ['pipe', 'ignore', 'ignore'] });
    await vi.waitUntil(() => existsSync(ledger) && statSync(ledger).size > 0, { timeout: 20_000, interval: 5 });
    expect(readFileSync(ledger, 'utf8')).toMatch(new RegExp(` ${child.pid}\n$`));
    child.kill('SIGKILL');
  });
});

describe('a prompt on stdin', () => {
  it('may be larger than a pipe holds', async () => {
    const project = makePassingProject();
    const prompt = `${project.prompt('verifier')}\n${'x'.repeat(2_000_000)}\n`;
    const finished = await runFakeAgent({ speak: 'gemini' }, { cwd: project.root, prompt });
    expect(finished.exitCode).toBe(0);
    expect(parseEvents(finished.output.toString('utf8')).at(-1)).toMatchObject({ status: 'success' });
  });
});
