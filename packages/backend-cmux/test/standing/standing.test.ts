import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ContactOutcome,
  decideStanding,
  type EnvironmentSigns,
  examineCmux,
  isSupported,
  parseVersion,
} from '../../src/index.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';

const NONE: EnvironmentSigns = {
  hasIds: false,
  isSandboxed: false,
  isOtherCmux: false,
  isStripped: false,
  multiplexer: null,
};
const IDS = { ...NONE, hasIds: true };
const failed = (systemCode: string): ContactOutcome => ({ kind: 'failed', systemCode });
const said = (kind: 'denied' | 'password-needed' | 'unresponsive' | 'not-understood'): ContactOutcome => ({
  kind,
  message: '',
});
const answered = (isCallerKnown: boolean, version = '0.64.22'): ContactOutcome => ({
  kind: 'answered',
  isCallerKnown,
  version: parseVersion(`cmux ${version}`),
});

describe('the decision table', () => {
  it.each<[string, EnvironmentSigns, ContactOutcome, string]>([
    ['no ids, nothing tried', NONE, { kind: 'not-tried' }, 'not-in-cmux'],
    ['no ids, no socket', NONE, failed('ENOENT'), 'not-in-cmux'],
    ['no ids, let in', NONE, answered(false), 'outside'],
    ['no ids, denied', NONE, said('denied'), 'denied'],
    ['ids, answered', IDS, answered(true), 'usable'],
    ['ids, EPERM', IDS, failed('EPERM'), 'walled-off'],
    ['ids, EACCES', IDS, failed('EACCES'), 'walled-off'],
    ['ids, the socket hidden by a sandbox', { ...IDS, isSandboxed: true }, failed('ENOENT'), 'walled-off'],
    ['ids, refused inside a sandbox', { ...IDS, isSandboxed: true }, failed('ECONNREFUSED'), 'walled-off'],
    ['ids, no socket', IDS, failed('ENOENT'), 'stale'],
    ['ids, nobody listens', IDS, failed('ECONNREFUSED'), 'stale'],
    ['ids, denied', IDS, said('denied'), 'denied'],
    ['ids, a password', IDS, said('password-needed'), 'password-needed'],
    ['ids, no answer', IDS, said('unresponsive'), 'unresponsive'],
    ['ids, unknown to the app', IDS, answered(false), 'stale-ids'],
    ['ids taken away', { ...NONE, isStripped: true }, { kind: 'not-tried' }, 'stripped'],
    ['the other cmux', { ...NONE, isOtherCmux: true }, { kind: 'not-tried' }, 'other-cmux'],
    ['too old, named', IDS, answered(true, '0.63.2'), 'too-old'],
    ['its background terminals do not start', IDS, answered(true, '0.64.6'), 'too-old'],
    ['the oldest', IDS, answered(true, '0.64.7'), 'usable'],
    ['another protocol', IDS, said('not-understood'), 'not-understood'],
  ])('%s', (_, signs, outcome, kind) => {
    const standing = decideStanding(signs, outcome);
    expect(standing.kind).toBe(kind);
    expect(standing.reason).not.toBe('');
    expect(standing.advice === '').toBe(kind === 'usable');
  });

  it('inside another multiplexer it is said where panes open', () => {
    const inTmux = decideStanding({ ...IDS, multiplexer: 'tmux' }, answered(true));
    expect([inTmux.kind, inTmux.advice]).toEqual(['usable', 'panes open in cmux, not in tmux']);
  });

  it('a version that is refused is named', () => {
    expect(decideStanding(IDS, answered(true, '0.63.2')).reason).toContain('0.63.2');
    const rows: readonly [string, boolean][] = [
      ['1.0.0', true],
      ['0.65.0', true],
      ['0.64.7', true],
      ['0.64.6', false],
      ['0.63.99', false],
    ];
    for (const [text, isFit] of rows)
      expect(isSupported(parseVersion(`cmux ${text} (102) [d]`) ?? [0, 0, 0])).toBe(isFit);
    expect(parseVersion('cmux-tui 1.2.3')).toBeUndefined();
  });
});

describe('looking at a real socket', () => {
  let test: TestFake;
  afterEach(() => test.remove());
  type Row = [string, Parameters<typeof startTestFake>[0], Record<string, string | undefined>, string];
  const NO_IDS = { CMUX_WORKSPACE_ID: undefined, CMUX_SURFACE_ID: undefined };
  const STRIPPED = { CMUX_SOCKET_PATH: undefined, __CFBundleIdentifier: 'com.cmuxterm.app' };
  const OTHER = { CMUX_SOCKET_PATH: undefined, CMUX_TUI_SOCKET: '/tmp/tui.sock' };

  it.each<Row>([
    ['inside', {}, {}, 'usable'],
    ['inside an old one', { version: '0.63' }, {}, 'too-old'],
    ['with ids of before', {}, { CMUX_SURFACE_ID: '11111111-1111-4111-8111-111111111111' }, 'stale-ids'],
    ['from outside', { mode: 'automation' }, NO_IDS, 'outside'],
    ['from outside, denied', { mode: 'deny' }, { ...NO_IDS, CMUX_SOCKET_CAPABILITY: undefined }, 'denied'],
    ['re-parented, with the capability', { mode: 'deny' }, {}, 'usable'],
    ['re-parented in an old one', { mode: 'deny', version: '0.64.17' }, {}, 'denied'],
    ['without the password', { mode: 'password', password: 'x' }, {}, 'password-needed'],
    ['with the password', { mode: 'password', password: 'x' }, { CMUX_SOCKET_PASSWORD: 'x' }, 'usable'],
    ['while it hangs', { faults: { isHanging: true } }, {}, 'unresponsive'],
    ['switched off', { mode: 'off' }, {}, 'stale'],
    ['switched off, in a sandbox', { mode: 'off' }, { CODEX_SANDBOX: 'seatbelt' }, 'walled-off'],
    ['after the app was killed', { mode: 'stale' }, {}, 'stale'],
    ['after the app was killed, in a sandbox', { mode: 'stale' }, { CODEX_SANDBOX: 'seatbelt' }, 'walled-off'],
    ['from outside, switched off', { mode: 'off' }, NO_IDS, 'not-in-cmux'],
    ['where the app is asked for by nobody', {}, { ...NO_IDS, CMUX_SOCKET_PATH: '' }, 'not-in-cmux'],
    ['below a wrapper that takes all away', {}, { ...NO_IDS, ...STRIPPED }, 'stripped'],
    ['in the other program of that name', {}, { ...NO_IDS, ...OTHER }, 'other-cmux'],
    ['from outside one that wants a password', { mode: 'password', password: 'x' }, NO_IDS, 'password-needed'],
    ['from outside, while it hangs', { faults: { isHanging: true } }, NO_IDS, 'unresponsive'],
    ['over a relay', { isRelayed: true }, {}, 'usable'],
  ])('%s', async (_, options, environment, kind) => {
    test = await startTestFake(options);
    const { standing, client } = await examineCmux({ ...test.surroundings(environment), preflightTimeoutMs: 300 });
    client?.close();
    expect(standing.kind).toBe(kind);
    expect(test.fake.conduct().holds).toBe(true);
  });

  it('a socket that has moved is found by the marker file', async () => {
    test = await startTestFake();
    const marker = join(test.folder, '.local', 'state', 'cmux', 'last-socket-path');
    mkdirSync(dirname(marker), { recursive: true });
    writeFileSync(marker, `${test.socketPath}\n`);
    const { standing, client } = await examineCmux(test.surroundings({ CMUX_SOCKET_PATH: join(test.folder, 'gone') }));
    client?.close();
    expect(standing.kind).toBe('usable');
  });

  it('something else that listens there is not understood', async () => {
    test = await startTestFake();
    const path = join(test.folder, 'other');
    const server = createServer((socket) => socket.on('data', () => socket.write('{"hello":1}\n')));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const { standing } = await examineCmux(test.surroundings({ CMUX_SOCKET_PATH: path, CMUX_SOCKET_CAPABILITY: '' }));
    server.close();
    expect(standing.kind).toBe('not-understood');
  });
});
