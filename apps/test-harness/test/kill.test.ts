import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  findFencedProcesses,
  findSupervisors,
  runCli,
  runCliJson,
  startCli,
  type TempProject,
  waitUntil,
} from '../src/index.ts';
import { awaited, createdRun, storedRun } from './runs-in-process.ts';
import { aliveOf, project, type RunDocument, startedAgents } from './support.ts';

/** Starts the implementer and waits until its agent runs. */
async function startImplementer(made: TempProject, runId: string) {
  const command = startCli(made, ['team', 'dispatch', '--workers', 'implementer']);
  await waitUntil(
    'the agent runs',
    async () => (await startedAgents(made)).length > 0 && (await findFencedProcesses(runId)).length > 0,
  );
  return { command };
}

describe('a run whose processes are killed', () => {
  it('AW-1 a dispatch killed with SIGKILL is finished by team await, with its result', async () => {
    const made = await project({ agents: { implementer: { as: 'slow', delayMs: 1_500 } } });
    const { runId } = await createdRun(made);
    const { command } = await startImplementer(made, runId);
    command.kill('SIGKILL');
    await command;
    expect((await runCli(made, ['team', 'await'])).exitCode).toBe(0);
    const { attempts } = await storedRun(made);
    expect(attempts.map((attempt) => [attempt.workerId, attempt.status, attempt.audit])).toEqual([
      ['implementer', 'completed', 'ok'],
    ]);
    expect(await startedAgents(made)).toHaveLength(1);
    expect(await aliveOf(runId)).toEqual([]);
  });

  it('AW-4 an attempt whose supervisor and command were killed is ended, audited and settled as lost', async () => {
    const made = await project({ agents: { implementer: { as: 'hang' } } });
    const { runId } = await createdRun(made);
    const { command } = await startImplementer(made, runId);
    for (const { pid } of await findSupervisors(made.root)) process.kill(pid, 'SIGKILL');
    command.kill('SIGKILL');
    await command;
    await awaited(made);
    const { attempts } = await storedRun(made);
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ status: 'error', audit: 'failed-no-mutation' });
    expect(attempts[0]?.reason).toMatch(/lost/);
    expect(await aliveOf(runId)).toEqual([]);
  });

  it('AW-4 a waiting dispatch settles an attempt as lost when its supervisor alone is killed', async () => {
    const made = await project({ agents: { implementer: { as: 'hang' } } });
    const { runId } = await createdRun(made);
    const { command } = await startImplementer(made, runId);
    for (const { pid } of await findSupervisors(made.root)) {
      expect(await blockedSignals(pid), 'no debugger can be opened in it').toContain(constants.signals.SIGUSR1);
      process.kill(pid, 'SIGKILL');
    }
    expect((await command).exitCode).toBe(1);
    expect((await storedRun(made)).attempts[0]).toMatchObject({ status: 'error' });
    expect(await aliveOf(runId)).toEqual([]);
  });

  it('AW-5 several awaits at once settle an attempt once, with one event each', async () => {
    const made = await project({ agents: { implementer: { as: 'slow', delayMs: 1_000 } } });
    const { runId } = await createdRun(made);
    const { command } = await startImplementer(made, runId);
    command.kill('SIGKILL');
    const awaits = await Promise.all([1, 2, 3].map(() => runCli(made, ['team', 'await', '--run', runId])));
    expect(awaits.map((result) => result.exitCode)).toEqual([0, 0, 0]);
    const { runDirectory, attempts } = await storedRun(made);
    expect(attempts).toHaveLength(1);
    expect(await eventTypes(runDirectory)).toEqual(['worker-dispatched', 'worker-result-collected']);
  });

  it('a run start killed with SIGKILL half-way is taken to its end by run resume', async () => {
    const made = await project({ agents: { verifier: { as: 'slow', delayMs: 1_500 } } });
    const command = startCli(made, ['run', 'start', '../TASK.md']);
    await waitUntil('the verifier runs', async () => (await startedAgents(made)).length === 2);
    command.kill('SIGKILL');
    await command;
    const resumed = await runCliJson<RunDocument>(made, ['run', 'resume']);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.document.state).toBe('verified');
    const started = await startedAgents(made);
    expect(new Set(started).size).toBe(started.length);
    expect(await aliveOf(resumed.document.runId)).toEqual([]);
  });
});

/** By the mask in `/proc/<pid>/status`: signal n is bit n - 1. */
async function blockedSignals(pid: number): Promise<readonly number[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mask = BigInt(`0x${/^SigBlk:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return Array.from({ length: 64 }, (_, at) => at + 1).filter((signal) => ((mask >> BigInt(signal - 1)) & 1n) === 1n);
}

async function eventTypes(runDirectory: string): Promise<readonly string[]> {
  const text = await readFile(`${runDirectory}/lead-events.jsonl`, 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type?: string });
  return rows.flatMap((row) => (row.type === undefined ? [] : [row.type]));
}
