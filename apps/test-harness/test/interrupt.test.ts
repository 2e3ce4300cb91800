import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFencedProcesses, runCliJson, startCli, type TempProject, waitUntil } from '../src/index.ts';
import { awaited, createdRun, storedRun } from './runs-in-process.ts';
import { aliveOf, heldAgents, project, type RunDocument, SMALL_TEAM, startedAgents } from './support.ts';

/** Whether the manifest of a run is on disk: asking the command line would cost more than the moment that is meant. */
async function hasRun({ root }: TempProject): Promise<boolean> {
  const runs = join(root, '.git', 'bailiwick', 'runs');
  const names = await readdir(runs).catch(() => []);
  const manifests = names.map((name) => access(join(runs, name, 'run-manifest.json')));
  return (await Promise.allSettled(manifests)).some((result) => result.status === 'fulfilled');
}

/** How many are connected to the sockets of a project's supervisors, by the kernel's table: each, and its listener, has a row. */
async function connectionsOf({ environment }: TempProject): Promise<number> {
  const rows = (await readFile('/proc/net/unix', 'utf8')).split('\n');
  const paths = rows.map((row) => row.split(' ').at(-1) ?? '');
  const ours = paths.filter((path) => path.startsWith(environment['XDG_RUNTIME_DIR'] ?? ''));
  return ours.length - new Set(ours).size;
}

describe('an interrupt', () => {
  it('SIGINT on run start ends the workers with their trees, settles them as stopped and exits 130', async () => {
    const made = await project({
      agents: { implementer: { as: 'grandchild' }, verifier: { as: 'hang' } },
      config: { limits: { graceSeconds: 1 } },
    });
    const command = startCli(made, ['run', 'start', '../TASK.md', '--json']);
    await waitUntil('the verifier runs', async () => (await startedAgents(made)).length === 2);
    command.kill('SIGINT');
    const { exitCode, stdout } = await command;
    expect(exitCode).toBe(130);
    const run: RunDocument = JSON.parse(stdout);
    expect(run.attempts.map((attempt) => attempt.status)).toEqual(['completed', 'stopped']);
    expect(await aliveOf(run.runId)).toEqual([]);
  });

  it('at once after the start leaves nothing running and a state that can be gone on from', async () => {
    const made = await project({ config: { team: SMALL_TEAM } });
    const command = startCli(made, ['run', 'start', '../TASK.md', '--json']);
    await waitUntil('a run exists', () => hasRun(made));
    command.kill('SIGINT');
    expect((await command).exitCode).toBe(130);
    const { exitCode, document } = await runCliJson<RunDocument>(made, ['run', 'resume']);
    expect([exitCode, document.state]).toEqual([0, 'verified']);
    const started = await startedAgents(made);
    expect(new Set(started).size).toBe(started.length);
  });

  it('SIGTERM ends an agent that ignores SIGTERM, at the second one without grace', async () => {
    const made = await project({ agents: { implementer: { as: 'ignore-sigterm' } } });
    const command = startCli(made, ['run', 'start', '../TASK.md', '--json']);
    let progress = '';
    command.stderr.on('data', (bytes: Buffer) => {
      progress += bytes.toString('utf8');
    });
    await waitUntil('the implementer runs', async () => (await startedAgents(made)).length === 1);
    command.kill('SIGTERM');
    // Two at once would be one: the second comes when the first has been answered.
    await waitUntil('the first is answered', async () => progress.includes('interrupted'));
    command.kill('SIGTERM');
    const { exitCode, stdout } = await command;
    expect(exitCode).toBe(130);
    const run: RunDocument = JSON.parse(stdout);
    expect(run.attempts[0]?.status).toBe('stopped');
    expect(await aliveOf(run.runId)).toEqual([]);
  });

  it('only detaches what waits: SIGHUP a dispatch, SIGINT an await; the worker goes on and is settled later', async () => {
    const { agents, release } = heldAgents();
    const made = await project({ config: { team: SMALL_TEAM, agents } });
    const { runId } = await createdRun(made);
    const dispatching = startCli(made, ['team', 'dispatch', '--workers', 'implementer']);
    await waitUntil('the agent runs', async () => (await findFencedProcesses(runId)).length > 0);
    dispatching.kill('SIGHUP');
    await dispatching;
    expect(await findFencedProcesses(runId)).not.toHaveLength(0);
    const waiting = startCli(made, ['team', 'await', '--json']);
    await waitUntil('await is connected to the supervisor', async () => (await connectionsOf(made)) > 0);
    waiting.kill('SIGINT');
    expect((await waiting).stderr).toContain('detached: workers go on');
    expect(await findFencedProcesses(runId)).not.toHaveLength(0);
    release();
    await awaited(made);
    expect((await storedRun(made)).attempts[0]).toMatchObject({ status: 'completed' });
  });
});
