import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CmuxError } from '../errors.ts';

/** What proves to a relay that one may use it. */
export interface RelayCredentials {
  readonly id: string;
  /** Hexadecimal. */
  readonly token: string;
}

const Challenge = z.looseObject({
  protocol: z.literal('cmux-relay-auth'),
  version: z.literal(1),
  relay_id: z.string(),
  nonce: z.string(),
});
const CredentialsFile = z.looseObject({ relay_id: z.string(), relay_token: z.string() });

/** From `CMUX_RELAY_ID` and `CMUX_RELAY_TOKEN`, else from `~/.cmux/relay/<port>.auth`; undefined where neither is there. */
export function relayCredentials(
  environment: Readonly<Record<string, string | undefined>>,
  o: { readonly home: string; readonly port: number },
): RelayCredentials | undefined {
  const { CMUX_RELAY_ID: id, CMUX_RELAY_TOKEN: token } = environment;
  if (id !== undefined && token !== undefined) return { id, token };
  try {
    const text = readFileSync(join(o.home, '.cmux', 'relay', `${o.port}.auth`), 'utf8');
    const file = CredentialsFile.parse(JSON.parse(text));
    return { id: file.relay_id, token: file.relay_token };
  } catch {
    return undefined; // none, or in a form that isn't known: the relay will say that they are needed
  }
}

/** The line that answers a relay's challenge. Throws CmuxError CMUX_RELAY_REFUSED. */
export function answerChallenge(line: string, credentials: RelayCredentials | undefined): string {
  if (credentials === undefined)
    throw new CmuxError('CMUX_RELAY_REFUSED', 'the socket is a relay, and there are no credentials for it', {
      hint: 'set CMUX_RELAY_ID and CMUX_RELAY_TOKEN, or work in a local workspace',
    });
  const challenge = Challenge.safeParse(jsonOrNothing(line));
  if (!challenge.success || challenge.data.relay_id !== credentials.id)
    throw new CmuxError('CMUX_RELAY_REFUSED', "what listens there isn't the relay that the credentials are for");
  const message = `relay_id=${credentials.id}\nnonce=${challenge.data.nonce}\nversion=1`;
  const mac = createHmac('sha256', Buffer.from(credentials.token, 'hex')).update(message).digest('hex');
  return JSON.stringify({ relay_id: credentials.id, mac });
}

/** True where a relay took the answer. */
export function isAccepted(line: string): boolean {
  return z.looseObject({ ok: z.literal(true) }).safeParse(jsonOrNothing(line)).success;
}

export function jsonOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
