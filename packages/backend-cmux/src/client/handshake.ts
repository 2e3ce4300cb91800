import { setTimeout as pause } from 'node:timers/promises';
import { CmuxError } from '../errors.ts';
import type { CmuxAddress } from './address.ts';
import { type LineConnection, openConnection } from './line-connection.ts';
import { answerChallenge, isAccepted, jsonOrNothing, type RelayCredentials } from './relay-auth.ts';
import { denied, passwordNeeded, readReply } from './replies.ts';

/** What is known of the server's ways; undefined: not tried yet. */
export interface Handshake {
  readonly usesCapability: boolean | undefined;
}

interface Credentials {
  readonly address: CmuxAddress;
  readonly capability?: string | undefined;
  readonly password?: string | undefined;
  readonly relay?: RelayCredentials | undefined;
}

/** An app that is just being started again: as long as its own command line tries. */
const RETRIED_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'EAGAIN']);
const RETRY_WITHIN_MS = 350;
const RETRY_EVERY_MS = 50;

const PING = { id: 'ping', method: 'system.ping' };
const PING_LINE = JSON.stringify({ ...PING, params: {} });

/**
 * Connects, shows what one has (relay, password, capability), and sees the app answer a ping. A server older than the
 * capability takes its prefix for an unknown command: it is asked again without. Throws CmuxError as `CmuxClient.call`.
 */
export async function shakeHands(
  credentials: Credentials,
  known: Handshake,
  timeoutMs: number,
  onOpen: () => void,
): Promise<Handshake & { readonly connection: LineConnection }> {
  const { capability } = credentials;
  if (capability === undefined || capability === '' || known.usesCapability === false)
    return { usesCapability: false, connection: await tryWith(credentials, '', timeoutMs, onOpen) };
  try {
    const prefix = `_cmux_capability_v1 ${capability} `;
    return { usesCapability: true, connection: await tryWith(credentials, prefix, timeoutMs, onOpen) };
  } catch (error) {
    const isOlder = error instanceof CmuxError && error.rpcCode === 'unknown_command';
    if (!isOlder && !(error instanceof CmuxError && error.code === 'CMUX_DENIED')) throw error;
    return { usesCapability: false, connection: await tryWith(credentials, '', timeoutMs, onOpen) };
  }
}

async function tryWith(
  credentials: Credentials,
  prefix: string,
  timeoutMs: number,
  onOpen: () => void,
): Promise<LineConnection> {
  const connection = await openPatiently(credentials.address);
  onOpen();
  try {
    if (credentials.address.kind === 'relay') await passRelay(connection, credentials.relay, timeoutMs);
    if (credentials.password !== undefined && credentials.password !== '')
      await authenticate(connection, `${prefix}auth ${credentials.password}`, timeoutMs);
    readReply(await ask(connection, `${prefix}${PING_LINE}`, timeoutMs), PING);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function openPatiently(address: CmuxAddress): Promise<LineConnection> {
  const deadlineMs = performance.now() + RETRY_WITHIN_MS;
  for (;;) {
    try {
      return await openConnection(address);
    } catch (error) {
      const isRetried = error instanceof CmuxError && RETRIED_CODES.has(error.systemCode ?? '');
      if (!isRetried || performance.now() > deadlineMs) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}

async function passRelay(
  connection: LineConnection,
  credentials: RelayCredentials | undefined,
  timeoutMs: number,
): Promise<void> {
  const challenge = await connection.next(timeoutMs);
  if (typeof challenge === 'string') throw new CmuxError('CMUX_RELAY_REFUSED', 'the relay said nothing');
  const answer = await ask(connection, answerChallenge(challenge.line, credentials), timeoutMs);
  if (!isAccepted(answer))
    throw new CmuxError('CMUX_RELAY_REFUSED', "the relay didn't take its credentials", {
      hint: 'they change with each connection of the remote workspace: open a new terminal there',
    });
}

/** `OK…` in every mode; an error in plain text where the password is another one. */
async function authenticate(connection: LineConnection, line: string, timeoutMs: number): Promise<void> {
  const reply = await ask(connection, line, timeoutMs);
  if (reply.startsWith('OK')) return;
  if (/access denied|only processes started inside cmux/i.test(reply)) throw denied(reply);
  if (/unknown command/i.test(reply))
    throw new CmuxError('CMUX_REFUSED', 'cmux does not know this command', { rpcCode: 'unknown_command' });
  throw passwordNeeded();
}

async function ask(connection: LineConnection, line: string, timeoutMs: number): Promise<string> {
  connection.write(line);
  const heard = await connection.next(timeoutMs);
  if (heard === 'late')
    throw new CmuxError('CMUX_UNRESPONSIVE', `cmux has not answered within ${timeoutMs} ms`, {
      hint: 'its main thread is busy or hangs; look at the app, restart it if it stays so',
    });
  // Nothing was asked yet that changes anything: it is as if nobody had been reached.
  if (heard === 'closed')
    throw new CmuxError('CMUX_UNREACHABLE', 'cmux closed the connection without a word', { systemCode: 'ECONNRESET' });
  if (jsonOrNothing(heard.line) === undefined && heard.line.startsWith('{'))
    throw new CmuxError('CMUX_NOT_UNDERSTOOD', 'what listens there speaks another protocol');
  return heard.line;
}
