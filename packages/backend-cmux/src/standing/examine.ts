import { type AddressSources, type CmuxAddress, givenAddress, usualAddresses } from '../client/address.ts';
import { type CmuxClient, createCmuxClient } from '../client/cmux-client.ts';
import { relayCredentials } from '../client/relay-auth.ts';
import { CmuxError, messageOf } from '../errors.ts';
import { type Caller, readIdentity } from './identity.ts';
import { type ContactOutcome, decideStanding, type EnvironmentSigns, type Standing } from './standing.ts';
import { askVersion } from './version.ts';

/** How long the first answers may take. */
const PREFLIGHT_TIMEOUT_MS = 3_000;

export interface CmuxSurroundings extends AddressSources {
  /** Of one later request. */
  readonly requestTimeoutMs?: number;
  readonly preflightTimeoutMs?: number;
}

/** Where this process stands, and the client with which that was found out; null where nobody answered. */
export interface Examination {
  readonly standing: Standing;
  readonly client: CmuxClient | null;
  readonly caller: Caller | null;
}

/**
 * Asks the app who it is and whether it knows this terminal. Nothing is changed. The caller closes the client. Where the given
 * socket has gone, the marker files and usual places are tried once.
 */
export async function examineCmux(surroundings: CmuxSurroundings): Promise<Examination> {
  const signs = signsIn(surroundings.environment);
  const given = givenAddress(surroundings);
  if (given === undefined && !signs.hasIds)
    return { standing: decideStanding(signs, { kind: 'not-tried' }), client: null, caller: null };
  const places = given === undefined ? usualAddresses(surroundings) : [given];
  const first = await contactOneOf(surroundings, places);
  const isGone = first.outcome.kind === 'failed' && /^(?:ENOENT|ECONNREFUSED)$/.test(first.outcome.systemCode);
  const isRetried =
    isGone && given?.kind === 'unix' && signs.hasIds && !signs.isSandboxed && surroundings.explicit === undefined;
  const found = isRetried ? await contactOneOf(surroundings, usualAddresses(surroundings), first) : first;
  return { standing: decideStanding(signs, found.outcome), client: found.client, caller: found.caller };
}

/** What the environment says of where this is. */
export function signsIn(environment: AddressSources['environment']): EnvironmentSigns {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  const names = Object.keys(environment);
  return {
    hasIds: has('CMUX_WORKSPACE_ID') && has('CMUX_SURFACE_ID'),
    // Codex says so by these; Gemini CLI by SANDBOX.
    isSandboxed: names.some((name) => name.startsWith('CODEX_SANDBOX') && has(name)) || has('SANDBOX'),
    isOtherCmux: names.some((name) => (name.startsWith('CMUX_TUI_') || name === 'CMUX_MUX_SOCKET') && has(name)),
    isStripped: environment['__CFBundleIdentifier'] === 'com.cmuxterm.app',
    multiplexer: has('TMUX') ? 'tmux' : has('ZELLIJ') ? 'Zellij' : null,
  };
}

interface Contact {
  readonly outcome: ContactOutcome;
  readonly client: CmuxClient | null;
  readonly caller: Caller | null;
}

const NOBODY: Contact = { outcome: { kind: 'failed', systemCode: 'ENOENT' }, client: null, caller: null };

/** The first that is there, whatever it says; `otherwise` where none is. */
async function contactOneOf(
  surroundings: CmuxSurroundings,
  addresses: readonly CmuxAddress[],
  otherwise: Contact = NOBODY,
): Promise<Contact> {
  let last = otherwise;
  for (const address of addresses) {
    const contact = await contactAt(surroundings, address);
    if (contact.outcome.kind !== 'failed') return contact;
    if (otherwise === NOBODY) last = contact;
  }
  return last;
}

async function contactAt(surroundings: CmuxSurroundings, address: CmuxAddress): Promise<Contact> {
  const { environment, home, requestTimeoutMs } = surroundings;
  const client = createCmuxClient({
    address,
    capability: environment['CMUX_SOCKET_CAPABILITY'],
    password: environment['CMUX_SOCKET_PASSWORD'],
    ...(address.kind === 'relay' && { relay: relayCredentials(environment, { home, port: address.port }) }),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
  try {
    const { caller, cliPath } = await identify(client, surroundings);
    const version = await askVersion(environment['CMUX_BUNDLED_CLI_PATH'] ?? cliPath);
    return { outcome: { kind: 'answered', isCallerKnown: caller !== null, version }, client, caller };
  } catch (error) {
    client.close();
    return { outcome: outcomeOf(error), client: null, caller: null };
  }
}

async function identify(client: CmuxClient, surroundings: CmuxSurroundings) {
  const timeoutMs = surroundings.preflightTimeoutMs ?? PREFLIGHT_TIMEOUT_MS;
  const { CMUX_WORKSPACE_ID: workspace_id, CMUX_SURFACE_ID: surface_id } = surroundings.environment;
  const hasIds = workspace_id !== undefined && surface_id !== undefined;
  const params = hasIds ? { caller: { workspace_id, surface_id } } : {};
  return readIdentity(await client.call('system.identify', params, { timeoutMs }));
}

function outcomeOf(error: unknown): ContactOutcome {
  if (!(error instanceof CmuxError)) throw error;
  const message = messageOf(error);
  switch (error.code) {
    case 'CMUX_UNREACHABLE':
      return { kind: 'failed', systemCode: error.systemCode ?? '' };
    case 'CMUX_DENIED':
    case 'CMUX_RELAY_REFUSED':
      return { kind: 'denied', message };
    case 'CMUX_PASSWORD_NEEDED':
      return { kind: 'password-needed', message };
    case 'CMUX_UNRESPONSIVE':
    case 'CMUX_REPLY_LOST':
      return { kind: 'unresponsive', message };
    default:
      return { kind: 'not-understood', message };
  }
}
