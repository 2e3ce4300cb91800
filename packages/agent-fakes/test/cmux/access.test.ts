import { afterEach, describe, expect, it } from 'vitest';
import { fakeInFolder, type TestFake } from './fake-in-folder.ts';

let test: TestFake;
afterEach(() => test.remove());

const PING = '{"id":1,"method":"system.ping","params":{}}';

async function startWith(options: Parameters<typeof fakeInFolder>[0]): Promise<TestFake> {
  test = await fakeInFolder(options);
  return test;
}

describe('who may talk to it', () => {
  it('a client from outside is denied in plain text after its first line, and let go', async () => {
    const client = (await startWith({ mode: 'deny' })).client();
    expect(await client.say(PING)).toBe('ERROR: Access denied - only processes started inside cmux can connect');
    expect(await client.line()).toBeUndefined();
  });

  it('0.63 says so at once, with a longer dash', async () => {
    const client = (await startWith({ mode: 'deny', version: '0.63' })).client();
    expect(await client.line()).toBe('ERROR: Access denied — only processes started inside cmux can connect');
    expect(await client.line()).toBeUndefined();
  });

  it('whoever has the capability passes, and nobody with a wrong one', async () => {
    const { fake, client } = await startWith({ mode: 'deny' });
    const token = fake.environment()['CMUX_SOCKET_CAPABILITY'];
    expect(await client().say(`_cmux_capability_v1 ${token} ping`)).toBe('PONG');
    expect(await client().say('_cmux_capability_v1 v1.no.no ping')).toMatch(/^ERROR: Access denied/);
  });

  it('a password is asked for in the form of the request, and opens the connection', async () => {
    const { client } = await startWith({ mode: 'password', password: 's3cret' });
    const raw = client();
    expect(JSON.parse((await raw.say(PING)) ?? '')).toMatchObject({
      id: 1,
      ok: false,
      error: { code: 'auth_required' },
    });
    expect(await raw.say('ping')).toBe('ERROR: Authentication required — send auth <password> first');
    expect(await raw.say('auth')).toBe('ERROR: Missing password. Usage: auth <password>');
    expect(await raw.say('auth wrong')).toBe('ERROR: Invalid password');
    expect(await raw.say('auth s3cret')).toBe('OK: Authenticated');
    expect(await raw.say('ping')).toBe('PONG');
    const login = (password: string) => client().call('auth.login', { password });
    expect((await login('wrong')).error?.code).toBe('auth_failed');
    expect((await login('s3cret')).result).toEqual({ authenticated: true });
  });

  it('a mode that is changed under a client denies and lets it go; off leaves no listener', async () => {
    const { fake, client } = await startWith({});
    const raw = client();
    expect(await raw.say('ping')).toBe('PONG');
    await fake.setMode('off');
    expect(await raw.line()).toMatch(/^ERROR: Access denied/);
    expect(await client().say('ping')).toBeUndefined();
  });

  it('messages may be in another language, codes not', async () => {
    const { client } = await startWith({ isLocalised: true });
    const reply = await client().call('surface.send_key', { key: 'F1' });
    expect(reply.error).toMatchObject({ code: 'invalid_params' });
    expect(reply.error?.message).not.toContain('Unknown key');
    const raw = client();
    expect(await raw.say('set_progress x')).toMatch(/^ERROR: (?!Invalid)/);
    expect([await raw.say('ping'), await raw.say('list_status')]).toEqual(['PONG', 'No status entries']);
  });
});

describe('what goes wrong on the way', () => {
  it('a request may be done and its reply lost', async () => {
    const { fake, workspace, surface, client } = await startWith({});
    fake.dropNext('surface.split');
    const raw = client();
    expect(
      (await raw.call('surface.split', { workspace_id: workspace, surface_id: surface, direction: 'right' })).error
        ?.code,
    ).toBe('closed');
    expect((await client().call('surface.list', { workspace_id: workspace })).result.surfaces).toHaveLength(2);
    expect(fake.requests()[0]).toMatchObject({ method: 'surface.split', outcome: 'dropped' });
  });

  it('it may accept and never answer, then answer again', async () => {
    const { fake, client } = await startWith({ faults: { isHanging: true } });
    const hanging = client();
    hanging.write('ping');
    fake.setFaults({ isHanging: false });
    expect(await client().say('ping')).toBe('PONG');
  });

  it('replies come in the order of the requests, also to a client that has half-closed', async () => {
    const client = (await startWith({ faults: { chunkBytes: 3, delayMs: 5 } })).client();
    for (const id of [1, 2, 3]) client.write(`{"id":${id},"method":"system.ping"}`);
    client.end();
    const ids = [];
    for (let line = await client.line(); line !== undefined; line = await client.line()) ids.push(JSON.parse(line).id);
    expect(ids).toEqual([1, 2, 3]);
  });

  it('a connection that says nothing is closed', async () => {
    const client = (await startWith({ faults: { idleCloseMs: 30 } })).client();
    expect(await client.line()).toBeUndefined();
  });
});
