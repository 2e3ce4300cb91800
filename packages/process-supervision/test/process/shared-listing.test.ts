import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { FENCE_VARIABLE } from '../../src/fence.ts';
import { lookForProcesses } from '../../src/process/process-table.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The pid of a process that carries a fence. */
async function startFenced(fence: string): Promise<number> {
  const child = spawn('sleep', ['60'], {
    env: { PATH: process.env['PATH'], [FENCE_VARIABLE]: fence },
    stdio: 'ignore',
  });
  children.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

async function oursOf(fence: string): Promise<readonly number[]> {
  return (await lookForProcesses(fence)).filter((row) => row.fence === 'ours').map(({ pid }) => pid);
}

describe('a listing of the processes', () => {
  it('that several ask for at once tells each of them of its own fence', async () => {
    const pids = [await startFenced('first'), await startFenced('second')];
    expect(await Promise.all(['first', 'second', 'third'].map(oursOf))).toEqual([[pids[0]], [pids[1]], []]);
  });

  it('shows whatever was started before it was asked for, while an earlier one is under way', async () => {
    const earlier = oursOf('late');
    await earlier;
    const next = oursOf('nobody');
    const pid = await startFenced('late');
    expect(await oursOf('late')).toEqual([pid]);
    expect(await next).toEqual([]);
  });
});
