import { localised } from './failure.ts';
import type { CmuxVersion } from './version.ts';

/**
 * Who may talk to the app. `deny` is `cmuxOnly` for a client that doesn't descend from the app; `stale` is `off` where the file of
 * the socket was left behind, as an app that was killed leaves it.
 */
export const AccessMode = {
  off: 'off',
  stale: 'stale',
  cmuxOnly: 'cmuxOnly',
  deny: 'deny',
  automation: 'automation',
  password: 'password',
  allowAll: 'allowAll',
} as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];

export interface AccessFacts {
  readonly mode: AccessMode;
  readonly version: CmuxVersion;
  readonly password: string | null;
  readonly capabilityToken: string;
  readonly isLocalised: boolean;
}

/** What a connection has shown of itself. */
export interface Standing {
  readonly isAuthenticated: boolean;
}

/** What becomes of one line, before anything of it is done. */
export type Admission =
  | { readonly kind: 'pass'; readonly line: string; readonly reply?: string; readonly isAuthenticated?: boolean }
  | { readonly kind: 'reply'; readonly reply: string; readonly isAuthenticated?: boolean }
  | { readonly kind: 'refuse'; readonly reply: string };

const PREFIX = '_cmux_capability_v1 ';
const NONE_CONFIGURED = 'Password mode is enabled but no socket password is configured in Settings.';

/** What a client is told that may not talk at all: with a dash of its own kind up to 0.63. */
export function denial({ version, isLocalised }: Pick<AccessFacts, 'version' | 'isLocalised'>): string {
  const text = `Access denied ${version.deniesAtAccept ? '—' : '-'} only processes started inside cmux can connect`;
  return `ERROR: ${isLocalised ? localised(text) : text}`;
}

/** Decides over one line by mode, capability and password. */
export function admit(raw: string, facts: AccessFacts, standing: Standing): Admission {
  const { line, hasCapability } = stripped(raw, facts);
  if (facts.mode === AccessMode.deny && !hasCapability) return { kind: 'refuse', reply: denial(facts) };
  const password = /^auth(?:\s+(.*))?$/i.exec(line);
  if (password !== null) return authenticate(password[1]?.trim() ?? '', facts);
  if (facts.mode !== AccessMode.password) return { kind: 'pass', line };
  const login = line.startsWith('{') ? logIn(line, facts) : undefined;
  if (login !== undefined) return login;
  return standing.isAuthenticated ? { kind: 'pass', line } : unauthenticated(line);
}

/** The prefix is taken off where the version knows it; an older one takes it for a command of its own. */
function stripped(raw: string, { version, capabilityToken }: AccessFacts): { line: string; hasCapability: boolean } {
  if (!version.hasCapability || !raw.startsWith(PREFIX)) return { line: raw, hasCapability: false };
  const rest = raw.slice(PREFIX.length);
  const space = rest.indexOf(' ');
  return { line: rest.slice(space + 1), hasCapability: rest.slice(0, space) === capabilityToken };
}

function authenticate(given: string, { mode, password }: AccessFacts): Admission {
  if (mode !== AccessMode.password) return { kind: 'reply', reply: 'OK: Authentication not required' };
  if (password === null) return { kind: 'reply', reply: `ERROR: ${NONE_CONFIGURED}` };
  if (given === '') return { kind: 'reply', reply: 'ERROR: Missing password. Usage: auth <password>' };
  return given === password
    ? { kind: 'reply', reply: 'OK: Authenticated', isAuthenticated: true }
    : { kind: 'reply', reply: 'ERROR: Invalid password' };
}

/** The answer to a login, whoever is logged in already; undefined for every other request. */
function logIn(line: string, facts: AccessFacts): Admission | undefined {
  const { id, method, params } = looseRequest(line);
  if (method !== 'auth.login') return undefined;
  const fail = (code: string, message: string): Admission => v2(id, { ok: false, error: { code, message } });
  const given = params['password'];
  if (typeof given !== 'string') return fail('invalid_params', 'auth.login requires params.password');
  if (facts.password === null) return fail('auth_unconfigured', NONE_CONFIGURED);
  if (given !== facts.password) return fail('auth_failed', 'Invalid password');
  return { ...v2(id, { ok: true, result: { authenticated: true } }), isAuthenticated: true };
}

function unauthenticated(line: string): Admission {
  if (!line.startsWith('{'))
    return { kind: 'reply', reply: 'ERROR: Authentication required — send auth <password> first' };
  const message = 'Authentication required. Send auth <password> first.';
  return v2(looseRequest(line).id, { ok: false, error: { code: 'auth_required', message } });
}

function v2(id: unknown, rest: Readonly<Record<string, unknown>>): { kind: 'reply'; reply: string } {
  return { kind: 'reply', reply: JSON.stringify({ id, ...rest }) };
}

function looseRequest(line: string): { id: unknown; method: unknown; params: Readonly<Record<string, unknown>> } {
  try {
    const request: unknown = JSON.parse(line);
    const { id = null, method, params } = request as Readonly<Record<string, unknown>>; // it began with a brace
    const isObject = typeof params === 'object' && params !== null;
    return { id, method, params: isObject ? (params as Readonly<Record<string, unknown>>) : {} };
  } catch {
    return { id: null, method: undefined, params: {} };
  }
}
