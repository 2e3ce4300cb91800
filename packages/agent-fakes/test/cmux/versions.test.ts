import { afterEach, describe, expect, it } from 'vitest';
import { fakeInFolder, type TestFake, until } from './fake-in-folder.ts';

let test: TestFake;
afterEach(() => test.remove());

const version = async (text: string): Promise<TestFake> => {
  test = await fakeInFolder({ version: text });
  return test;
};

describe('what differs between versions', () => {
  it('0.63: a split takes the focus unless told not to, passes over its folder, and falls back to the focused surface', async () => {
    const { fake, workspace, surface, client } = await version('0.63');
    const raw = client();
    const gone = '11111111-1111-4111-8111-111111111111';
    const split = await raw.call('surface.split', {
      workspace_id: workspace,
      surface_id: gone,
      direction: 'right',
      cwd: '/',
    });
    expect(split.ok).toBe(true);
    expect(fake.environment()['CMUX_SURFACE_ID']).not.toBe(surface);
    const { result } = await raw.call('surface.list', { workspace_id: workspace });
    expect(result.surfaces[1].requested_working_directory).toBeNull();
    expect((await raw.call('workspace.create', { focus: false })).result.surface_id).toBeUndefined();
  });

  it('0.64.0: the terminal of a workspace in the background never starts, and what is sent waits', async () => {
    const { client } = await version('0.64.0');
    const raw = client();
    const { result: made } = await raw.call('workspace.create', { title: 't', focus: false });
    const ids = { workspace_id: made.workspace_id, surface_id: made.surface_id };
    expect((await raw.call('surface.send_text', { ...ids, text: 'echo hi\n' })).result.queued).toBe(true);
    expect((await raw.call('surface.read_text', ids)).error).toMatchObject({ code: 'internal_error' });
    await raw.call('workspace.select', { workspace_id: made.workspace_id });
    await until('the shell answers', async () =>
      String((await raw.call('surface.read_text', ids)).result?.text).includes('\nhi'),
    );
  });

  it.each([
    ['0.64.17', 1],
    ['0.64.22', 0],
  ])('%s: closing the last workspace says ok, and leaves %i windows of it', async (text, left) => {
    const { fake, workspace, client } = await version(text);
    const first = fake.app.active;
    expect((await client().call('workspace.close', { workspace_id: workspace })).ok).toBe(true);
    expect(fake.app.windows.filter((window) => window === first)).toHaveLength(left);
  });

  it('0.64.17 knows no capability prefix, 0.64.18 takes it off', async () => {
    const old = await version('0.64.17');
    expect(await old.client().say('_cmux_capability_v1 v1.a.b ping')).toMatch(/^ERROR: Unknown command/);
    await old.remove();
    expect(await (await version('0.64.18')).client().say('_cmux_capability_v1 v1.a.b ping')).toBe('PONG');
  });

  it('the newest has input states and types what a new surface is to begin with', async () => {
    const { workspace, surface, client } = await version('new');
    const raw = client();
    expect((await raw.call('system.capabilities')).result.methods).toContain('surface.input_state');
    const { result } = await raw.call('surface.split', {
      workspace_id: workspace,
      surface_id: surface,
      direction: 'down',
      focus: false,
      initial_input: 'echo $((20 + 3))\r',
    });
    const ids = { workspace_id: workspace, surface_id: result.surface_id };
    await until('its output', async () =>
      String((await raw.call('surface.read_text', ids)).result?.text).includes('\n23'),
    );
  });

  it.each([
    ['0.64.17', false],
    ['0.64.22', true],
  ])(
    '%s: after a relaunch everything has new ids and the same titles; workspaces keep theirs: %s',
    async (text, isKept) => {
      const { fake, workspace, surface, client } = await version(text);
      await client().call('workspace.rename', { workspace_id: workspace, title: 'mine' });
      await fake.relaunch();
      const raw = client();
      const { result } = await raw.call('workspace.list');
      expect(result.workspaces[0]).toMatchObject({ title: 'mine', ref: 'workspace:1' });
      expect(result.workspaces[0].id === workspace).toBe(isKept);
      const caller = { workspace_id: workspace, surface_id: surface };
      expect((await raw.call('system.identify', { caller })).result.caller).toBeNull();
    },
  );
});
