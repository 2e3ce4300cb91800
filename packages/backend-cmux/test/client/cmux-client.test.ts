import { afterEach, describe, expect, it, vi } from 'vitest';
import { CmuxErrorCode, createCmuxClient, relayCredentials } from '../../src/index.ts';
import { failure, startTestFake, type TestFake } from '../support/fake.ts';

let test: TestFake;
afterEach(() => test.remove());
const start = async (options: Parameters<typeof startTestFake>[0] = {}): Promise<TestFake> => {
  test = await startTestFake(options);
  return test;
};

describe('requests', () => {
  it('go one after the other over one connection, replies in pieces or not, with any order of keys', async () => {
    const { client, fake, ids } = await start({ faults: { chunkBytes: 5 } });
    const one = client();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one.call('system.ping') : one.call('surface.list', ids))),
    );
    expect(replies[0]).toEqual({ pong: true });
    expect(replies[1]).toHaveProperty('surfaces');
    expect(await one.say('ping')).toBe('PONG');
    expect(one.connections()).toBe(1);
    expect(fake.conduct().connections).toBe(1);
  });

  it('an error has the code and data of the app, whatever language its message is in', async () => {
    const { client, ids } = await start({ isLocalised: true });
    const error = await failure(client().call('surface.send_key', { ...ids, key: 'F1' }));
    expect(error).toMatchObject({ code: 'CMUX_REFUSED', rpcCode: 'invalid_params', data: { key: 'F1' } });
  });

  it('one that only reads is sent again after its reply was lost', async () => {
    const { client, fake } = await start();
    const one = client();
    fake.dropNext('window.list');
    expect(await one.call('window.list')).toHaveProperty('windows');
    expect(fake.requests().filter(({ method }) => method === 'window.list')).toHaveLength(2);
  });

  it('one that changes something is never sent again: the loss is told', async () => {
    const { client, fake, ids } = await start();
    const one = client();
    fake.dropNext('surface.split');
    const error = await failure(one.call('surface.split', { ...ids, direction: 'right' }));
    expect(error).toMatchObject({ code: 'CMUX_REPLY_LOST' });
    expect(await one.call('system.ping')).toEqual({ pong: true });
    expect(fake.requests().filter(({ method }) => method === 'surface.split')).toHaveLength(1);
  });

  it('after one that was not answered in time the connection is another one', async () => {
    const { client, fake } = await start();
    const one = client({ requestTimeoutMs: 100 });
    await one.call('system.ping');
    fake.setFaults({ delayMs: 300 });
    expect(await failure(one.call('window.list'))).toMatchObject({ code: 'CMUX_UNRESPONSIVE' });
    fake.setFaults({ delayMs: 0 });
    expect(await one.call('system.ping')).toEqual({ pong: true });
    expect(one.connections()).toBe(2);
  });

  it('a connection that the app closed by starting anew is opened again', async () => {
    const { client, fake } = await start();
    const one = client();
    await one.call('system.ping');
    await fake.relaunch(100);
    expect(await one.call('system.ping')).toEqual({ pong: true });
  });

  it('one that the app closed for idling is opened again, for what changes something too', async () => {
    const { client, fake, ids } = await start({ faults: { idleCloseMs: 50 } });
    const one = client();
    await one.call('system.ping');
    await vi.waitFor(() => expect(fake.conduct().openConnections).toBe(0));
    await one.call('surface.split', { ...ids, direction: 'right' });
    expect(one.connections()).toBe(2);
    expect(fake.requests().filter(({ method }) => method === 'surface.split')).toHaveLength(1);
  });

  it('CX-6 none asks for the focus, whoever wants it to', async () => {
    const { client, fake, ids } = await start();
    const one = client();
    expect(() => one.call('workspace.select', ids)).toThrow(TypeError);
    expect(() => one.call('surface.split', { ...ids, direction: 'right', focus: true })).toThrow(TypeError);
    await one.call('surface.split', { ...ids, direction: 'right' });
    expect(fake.requests().at(-1)?.params).toMatchObject({ focus: false });
  });

  it('a line of the older half has no line break in it, and its error is one', async () => {
    const one = (await start()).client();
    await expect(async () => one.say('ping\nping')).rejects.toThrow(TypeError);
    expect(await failure(one.say('set_progress much'))).toMatchObject({ code: 'CMUX_REFUSED' });
    expect(await failure(one.say('frobnicate'))).toMatchObject({ rpcCode: 'unknown_command' });
  });
});

describe('getting in', () => {
  it('a capability is shown to an app that knows it, and left out towards an older one', async () => {
    const { fake, client } = await start({ mode: 'deny' });
    const capability = fake.environment()['CMUX_SOCKET_CAPABILITY'];
    expect(await client({ capability }).call('system.ping')).toEqual({ pong: true });
    expect(await failure(client({ capability: 'v1.no.no' }).call('system.ping'))).toMatchObject({
      code: 'CMUX_DENIED',
    });
    await test.remove();
    const older = await start({ version: '0.64.17' });
    expect(await older.client({ capability: 'v1.a.b' }).call('system.ping')).toEqual({ pong: true });
  });

  it.each([
    ['0.64.22', false],
    ['0.64.22', true],
    ['0.63', false],
  ])('a denial is understood from %s, localised: %s', async (version, isLocalised) => {
    const { client } = await start({ mode: 'deny', version, isLocalised });
    expect(await failure(client().call('system.ping'))).toMatchObject({ code: 'CMUX_DENIED' });
  });

  it('a password opens the connection, each time anew', async () => {
    const { client, fake } = await start({ mode: 'password', password: 's3cret' });
    const one = client({ password: 's3cret' });
    await one.call('system.ping');
    await fake.relaunch();
    expect(await one.call('system.ping')).toEqual({ pong: true });
    for (const password of [undefined, 'wrong'])
      expect(await failure(client({ password }).call('system.ping'))).toMatchObject({ code: 'CMUX_PASSWORD_NEEDED' });
  });

  it('the remote form of the socket is answered with a proof, and refused without', async () => {
    const { client, fake, folder, surroundings } = await start({ isRelayed: true });
    const relay = relayCredentials(surroundings().environment, { home: folder, port: 1 });
    expect(await client({ relay }).call('system.ping')).toEqual({ pong: true });
    const wrong = { id: relay?.id ?? '', token: '00' };
    for (const credentials of [undefined, wrong])
      expect(await failure(client({ relay: credentials }).call('system.ping'))).toMatchObject({
        code: 'CMUX_RELAY_REFUSED',
      });
    expect(fake.environment()['CMUX_SOCKET_PATH']).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('nobody there is said with the code of the system', async () => {
    await start();
    const nobody = createCmuxClient({ address: { kind: 'unix', path: `${test.folder}/none` } });
    expect(await failure(nobody.call('system.ping'))).toMatchObject({ code: 'CMUX_UNREACHABLE', systemCode: 'ENOENT' });
  });

  it('the codes stay as they are', async () => {
    await start();
    expect(Object.values(CmuxErrorCode)).toEqual([
      'CMUX_UNREACHABLE',
      'CMUX_DENIED',
      'CMUX_PASSWORD_NEEDED',
      'CMUX_UNRESPONSIVE',
      'CMUX_REPLY_LOST',
      'CMUX_REFUSED',
      'CMUX_NOT_UNDERSTOOD',
      'CMUX_RELAY_REFUSED',
    ]);
  });
});
