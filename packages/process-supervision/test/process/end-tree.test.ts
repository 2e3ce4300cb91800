import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { endProcessTree, findAttemptProcesses, processState, readProcessIdentity } from '../../src/index.ts';
import { until } from '../support/until.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

let counter = 0;
function newFence(): string {
  counter += 1;
  return `end-tree-${process.pid}-${counter}~1:attempt-1`;
}

function start(script: string, env: Record<string, string>): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  return child;
}

/** Starts a script and waits until it says that it is set up. */
async function ready(script: string, env: Record<string, string>): Promise<ChildProcess> {
  const child = start(script, env);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

function identityOf(child: ChildProcess) {
  const identity = readProcessIdentity(child.pid ?? 0);
  if (identity === undefined) throw new Error('it has ended');
  return identity;
}

describe('endProcessTree', () => {
  it('ends processes that ignore SIGTERM and sit in sessions of their own', async () => {
    const fence = newFence();
    const script =
      'setsid sh -c "trap \\"\\" TERM; echo up; while :; do sleep 0.05; done" & trap "" TERM; while :; do sleep 0.05; done';
    const child = await ready(script, { BAILIWICK_DISPATCH_ID: fence });
    const outcome = await endProcessTree({ fence, process: identityOf(child), graceMs: 100 });
    expect(outcome).toMatchObject({ endProof: 'search', isGone: true });
    expect(await findAttemptProcesses(fence)).toEqual([]);
  });

  it('works from the fence alone', async () => {
    const fence = newFence();
    const child = await ready('echo up; exec sleep 60', { BAILIWICK_DISPATCH_ID: fence });
    const identity = identityOf(child);
    expect((await findAttemptProcesses(fence)).map(({ pid }) => pid)).toEqual([child.pid]);
    expect(await endProcessTree({ fence, graceMs: 1_000 })).toMatchObject({ isGone: true, endedProcesses: 1 });
    expect(processState(identity)).toBe('dead');
  });

  it('a process that honours SIGTERM may end in its own way', async () => {
    const fence = newFence();
    const child = await ready('trap "exit 7" TERM; echo up; while :; do sleep 0.02; done', {
      BAILIWICK_DISPATCH_ID: fence,
    });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    await endProcessTree({ fence, process: identityOf(child), graceMs: 10_000 });
    expect(await exit).toBe(7);
  });

  it('a process that was stopped is ended as well', async () => {
    const fence = newFence();
    const child = await ready('echo up; exec sleep 60', { BAILIWICK_DISPATCH_ID: fence });
    child.kill('SIGSTOP');
    expect(await endProcessTree({ fence, process: identityOf(child), graceMs: 5_000 })).toMatchObject({ isGone: true });
  });

  it('never touches a process with another fence, nor one whose start time does not fit', async () => {
    const other = await ready('echo up; exec sleep 60', { BAILIWICK_DISPATCH_ID: newFence() });
    const foreign = identityOf(other);
    expect(await endProcessTree({ fence: newFence(), process: foreign, graceMs: 0 })).toMatchObject({
      endedProcesses: 0,
    });
    const stranger = identityOf(await ready('echo up; exec sleep 60', {}));
    const stale = { ...stranger, startTicks: `${stranger.startTicks}0` };
    expect(await endProcessTree({ fence: newFence(), process: stale, graceMs: 0 })).toMatchObject({
      endedProcesses: 0,
    });
    expect([processState(foreign), processState(stranger)]).toEqual(['alive', 'alive']);
  });

  it('says of a process on another host or in another namespace that nothing is known', async () => {
    const here = readProcessIdentity(process.pid);
    if (here === undefined) throw new Error('this process runs');
    for (const change of [{ hostId: 'elsewhere' }, { pidNamespace: 'pid:[1]' }]) {
      const there = { ...here, ...change };
      expect(processState(there)).toBe('unknown');
      expect(await endProcessTree({ fence: newFence(), process: there, graceMs: 0 })).toEqual({
        endProof: 'unknown',
        endedProcesses: 0,
        isGone: false,
      });
    }
    expect(processState({ ...here, bootId: 'before' })).toBe('dead');
  });

  it('a zombie is dead', async () => {
    const child = await ready('sleep 0.05 & echo $!; exec sleep 60', { BAILIWICK_DISPATCH_ID: newFence() });
    const children = async (): Promise<boolean> => readProcessIdentity(child.pid ?? 0) !== undefined;
    expect(await children()).toBe(true);
    const identity = identityOf(child);
    child.kill('SIGKILL');
    await until('it is dead', () => processState(identity) === 'dead');
  });

  it('a tree that forks all the time is ended', async () => {
    const fence = newFence();
    const script = 'echo up; fork() { (trap "" TERM; sleep 0.01; fork) & }; fork; fork; fork; sleep 60';
    const child = await ready(script, { BAILIWICK_DISPATCH_ID: fence });
    expect(await endProcessTree({ fence, process: identityOf(child), graceMs: 50 })).toMatchObject({ isGone: true });
    expect(await findAttemptProcesses(fence)).toEqual([]);
  });

  it('never ends the process that asks for it, though it carries the fence', async () => {
    const fence = newFence();
    const program = `import { endProcessTree } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
      console.log(JSON.stringify(await endProcessTree({ fence: ${JSON.stringify(fence)}, graceMs: 0 })));`;
    const child = spawn(process.execPath, ['--conditions=@bailiwick/source', '--input-type=module', '-e', program], {
      env: { PATH: process.env['PATH'] ?? '', BAILIWICK_DISPATCH_ID: fence },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ endedProcesses: 0 });
  });
});
