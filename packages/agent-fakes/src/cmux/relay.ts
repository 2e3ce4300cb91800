import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

/** What a client of the TCP form must know. */
export interface RelayCredentials {
  readonly id: string;
  /** Hexadecimal. */
  readonly token: string;
}

/** Speaks first, and calls `onTrusted` once the client has shown that it knows the token; else the connection ends. */
export function guardRelay(socket: Socket, { id, token }: RelayCredentials, onTrusted: (rest: string) => void): void {
  const nonce = randomBytes(16).toString('hex');
  const expected = createHmac('sha256', Buffer.from(token, 'hex'))
    .update(`relay_id=${id}\nnonce=${nonce}\nversion=1`)
    .digest();
  let received = '';
  const giveUp = (): void => void socket.end();
  socket.on('error', () => undefined);
  socket.on('end', giveUp);
  socket.write(`${JSON.stringify({ protocol: 'cmux-relay-auth', version: 1, relay_id: id, nonce })}\n`);
  const listen = (chunk: Buffer): void => {
    received += chunk.toString('utf8');
    const end = received.indexOf('\n');
    if (end === -1) return;
    socket.off('data', listen);
    socket.off('end', giveUp);
    if (!isRight(received.slice(0, end), id, expected)) {
      socket.end('{"ok":false}\n');
      socket.resume();
      return;
    }
    socket.write('{"ok":true}\n');
    onTrusted(received.slice(end + 1));
  };
  socket.on('data', listen);
}

function isRight(line: string, id: string, expected: Buffer): boolean {
  try {
    const answer = JSON.parse(line) as { relay_id?: unknown; mac?: unknown }; // each is checked next
    if (answer.relay_id !== id || typeof answer.mac !== 'string') return false;
    const mac = Buffer.from(answer.mac, 'hex');
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  } catch {
    return false;
  }
}
