import type { FakeCmux } from '@bailiwick/agent-fakes';
import { describe, expect, it } from 'vitest';
import { findSupervisors, runCli, type TempProject, waitUntil } from '../src/index.ts';
import { inCmux } from './in-cmux.ts';
import { createdRun, storedRun } from './runs-in-process.ts';
import { aliveOf, startedAgents } from './support.ts';

const HANGING = { agents: { implementer: { as: 'hang' } } } as const;

/** A run whose implementer runs in a pane, with no command that waits for it. */
async function dispatched(at: TempProject, ...more: readonly string[]): Promise<string> {
  const { runId } = await createdRun(at);
  const dispatch = ['team', 'dispatch', '--workers', 'implementer', '--backend', 'cmux-pane', '--no-wait', ...more];
  expect((await runCli(at, dispatch)).exitCode).toBe(0);
  await waitUntil('the agent runs', async () => (await startedAgents(at)).length > 0);
  return runId;
}

/** The surface that the command line opened. */
function ours({ app }: FakeCmux): string {
  const [place, ...others] = app.places().filter(({ surface }) => surface.madeBy === 'client');
  expect(others).toEqual([]);
  return place?.surface.id ?? '';
}

describe('a worker in a pane', () => {
  it('AW-6 is ended by team stop with its tree, and its pane is closed', async () => {
    const { at, fake } = await inCmux({}, HANGING);
    const runId = await dispatched(at);
    expect((await runCli(at, ['team', 'stop'])).exitCode).toBe(0);
    expect((await storedRun(at)).attempts[0]).toMatchObject({ status: 'stopped' });
    expect(await aliveOf(runId)).toEqual([]);
    expect(fake.app.places()).toHaveLength(1);
    expect(fake.conduct()).toMatchObject({ holds: true });
  });

  it('AW-4 is lost where its supervisor has gone with its pane, and the record says that the pane had', async () => {
    const { at, fake } = await inCmux({}, HANGING);
    const runId = await dispatched(at);
    fake.person.close(ours(fake));
    for (const { pid } of await findSupervisors(at.root)) process.kill(pid, 'SIGKILL');
    expect((await runCli(at, ['team', 'await'])).exitCode).toBe(1);
    const [attempt] = (await storedRun(at)).attempts;
    expect(attempt).toMatchObject({ status: 'error' });
    expect(attempt?.reason).toMatch(/lost/);
    expect(attempt?.reason).toContain('its pane had been closed');
    expect(await aliveOf(runId)).toEqual([]);
    expect(fake.conduct().foreignTouched).toEqual([]);
  });

  it('goes on without its pane where a person closes that alone', async () => {
    const { at, fake } = await inCmux({}, { agents: { implementer: { as: 'slow', delayMs: 3_000 } } });
    await dispatched(at);
    fake.person.close(ours(fake));
    expect((await runCli(at, ['team', 'await'])).exitCode).toBe(0);
    expect((await storedRun(at)).attempts[0]).toMatchObject({ status: 'completed' });
  });

  it('CX-6 opens beside the terminal of its command, though a person looks elsewhere', async () => {
    const { at, fake } = await inCmux({}, HANGING);
    const { CMUX_WORKSPACE_ID } = fake.environment();
    const elsewhere = fake.app.createWorkspace(fake.app.active, { by: 'human', title: 'theirs' });
    fake.person.look(elsewhere.focusedPane.selected.id);
    await dispatched(at);
    const place = fake.app.places().find(({ surface }) => surface.id === ours(fake));
    expect(place?.workspace.id).toBe(CMUX_WORKSPACE_ID);
    expect(fake.app.active.selected).toBe(elsewhere);
    expect(fake.conduct()).toMatchObject({ focusTaken: [], foreignTouched: [], implicitTargets: [] });
  });

  it('has its secrets from its own socket: none is typed, shown or in the environment of its workspace', async () => {
    const { at, fake } = await inCmux({}, HANGING);
    const secret = 'sk-never-shown';
    const knowing = { ...at, environment: { ...at.environment, ANTHROPIC_API_KEY: secret } };
    await dispatched(knowing);
    const place = fake.app.places().find(({ surface }) => surface.id === ours(fake));
    if (place === undefined) throw new Error('it has no pane');
    expect(JSON.stringify(fake.requests())).not.toContain(secret);
    expect(fake.app.terminals.screenOf(place.surface).read(1_000)).toContain('implementer');
    expect(fake.app.terminals.screenOf(place.surface).read(1_000)).not.toContain(secret);
    expect(JSON.stringify([place.workspace.environment, place.surface.environment])).not.toContain(secret);
  });
});
