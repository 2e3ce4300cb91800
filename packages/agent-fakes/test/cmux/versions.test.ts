import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeInFolder, type TestFake, until } from './fake-in-folder.ts';
import { startFakeProgram } from './fake-program.ts';
import { RawClient } from './raw-client.ts';

let test: TestFake | undefined;
afterEach(async () => {
  await test?.remove();
  test = undefined;
});

const GONE = '11111111-1111-4111-8111-111111111111';

const version = async (text: string): Promise<TestFake> => {
  test = await fakeInFolder({ version: text });
  return test;
};

describe('what differs between versions', () => {
  it('0.63: a split takes the focus unless told not to, passes over its folder, and falls back to the focused surface', async () => {
    const { fake, workspace, surface, client } = await version('0.63');
    const raw = client();
    const split = await raw.call('surface.split', {
      workspace_id: workspace,
      surface_id: GONE,
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
    ['0.64.18', 0],
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

  it.each([
    ['0.63', false],
    ['0.64.0', true],
  ])('%s: there is a stream of events: %s', async (text, isThere) => {
    const reply = (await (await version(text)).client().call('events.stream')) as unknown as Record<string, unknown>;
    if (isThere) expect(reply).toMatchObject({ type: 'ack', protocol: 'cmux-events' });
    else expect(reply).toMatchObject({ ok: false, error: { code: 'method_not_found' } });
  });

  it.each([
    ['0.64.6', true],
    ['0.64.7', false],
  ])('%s: what is sent to a terminal in the background waits for ever: %s', async (text, isQueued) => {
    const raw = (await version(text)).client();
    const { result: made } = await raw.call('workspace.create', { title: 't', focus: false });
    const ids = { workspace_id: made.workspace_id, surface_id: made.surface_id };
    expect((await raw.call('surface.send_text', { ...ids, text: 'true' })).result.queued).toBe(isQueued);
  });

  it.each([
    ['0.64.10', false],
    ['0.64.11', true],
  ])('%s: a new workspace says which group it is in: %s', async (text, isSaid) => {
    const { result } = await (await version(text)).client().call('workspace.create', { title: 't', focus: false });
    expect('group_id' in result).toBe(isSaid);
    expect(result).toHaveProperty('surface_id');
  });

  it.each([
    ['0.64.12', 'Library/Application Support/cmux/cmux.sock'],
    ['0.64.13', '.local/state/cmux/cmux.sock'],
  ])('%s listens at ~/%s, and leaves a file beside it that says so', async (text, place) => {
    const program = await startFakeProgram(['--version', text], (folder) => ['--home', folder]);
    try {
      expect(program.socketPath).toBe(join(program.folder, place));
      const marker = readFileSync(join(dirname(program.socketPath), 'last-socket-path'), 'utf8');
      expect(marker).toBe(`${program.socketPath}\n`);
      const client = new RawClient(program.socketPath);
      expect(await client.say('ping')).toBe('PONG');
      client.close();
    } finally {
      await program.end();
    }
  });

  it.each([
    ['0.64.15', false],
    ['0.64.16', true],
  ])('%s: rows of workspaces tell a title that somebody gave: %s', async (text, isTold) => {
    const { workspace, client } = await version(text);
    const raw = client();
    await raw.call('workspace.rename', { workspace_id: workspace, title: 'mine' });
    const [row] = (await raw.call('workspace.list')).result.workspaces;
    expect([row.title, row.custom_title]).toEqual(['mine', isTold ? 'mine' : undefined]);
  });

  // To 0.64.16 the app's own command line added the caller's workspace to a surface that was named; the socket is the same.
  it.each(['0.64.16', '0.64.17'])(
    '%s: a surface is found by itself, and not in a workspace where it is not',
    async (text) => {
      const { workspace, client } = await version(text);
      const raw = client();
      const { result: other } = await raw.call('workspace.create', { title: 't', focus: false });
      for (const surface_id of [other.surface_id, other.surface_ref])
        expect((await raw.call('surface.send_text', { text: 'true', surface_id })).ok).toBe(true);
      const elsewhere = { text: 'true', surface_id: other.surface_id, workspace_id: workspace };
      expect((await raw.call('surface.send_text', elsewhere)).error?.message).toBe('Surface is not a terminal');
    },
  );

  it.each([
    ['0.64.21', true],
    ['0.64.22', false],
  ])('%s: closing a ref that is gone closes what is in focus instead: %s', async (text, isInstead) => {
    const { fake, workspace, surface, client } = await version(text);
    const raw = client();
    await raw.call('surface.split', { workspace_id: workspace, surface_id: surface, direction: 'right', focus: false });
    const reply = await raw.call('surface.close', { workspace_id: workspace, surface_id: 'surface:99' });
    expect([reply.ok, reply.error?.code]).toEqual(isInstead ? [true, undefined] : [false, 'not_found']);
    expect(fake.app.places().some((place) => place.surface.id === surface)).toBe(!isInstead);
    const gone = await raw.call('surface.close', { workspace_id: workspace, surface_id: GONE });
    expect(gone.error?.code).toBe('not_found');
  });

  it.each([
    ['0.64.21', []],
    ['0.64.22', ['terminal.paste']],
    ['0.64.23', ['surface.input_state', 'terminal.paste']],
  ])('%s lists what it can: %j', async (text, more) => {
    const { result } = await (await version(text)).client().call('system.capabilities');
    const newer = ['surface.input_state', 'terminal.paste'];
    expect(result.methods.filter((name: string) => newer.includes(name))).toEqual(more);
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
    ['0.64.20', false],
    ['0.64.21', true],
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
