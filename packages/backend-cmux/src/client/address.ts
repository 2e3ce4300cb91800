import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the app listens: a socket file, or a port on this machine that leads to the app of a remote workspace's owner. */
export type CmuxAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'relay'; readonly host: string; readonly port: number };

/** What the search for the socket is made in. */
export interface AddressSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The account's home folder. */
  readonly home: string;
  readonly uid: number;
  /** What the user configured; it wins. */
  readonly explicit?: string;
}

/** Reads either form: `127.0.0.1:4711`, `localhost:4711`, or a path. */
export function parseAddress(text: string): CmuxAddress {
  const [, host, port] = /^(127\.0\.0\.1|localhost):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || port === undefined) return { kind: 'unix', path: text };
  return { kind: 'relay', host, port: Number(port) };
}

/** The address that was given, by configuration or environment; undefined where there is none (empty ones count as none). */
export function givenAddress({ environment, explicit }: AddressSources): CmuxAddress | undefined {
  const text = [explicit, environment['CMUX_SOCKET_PATH'], environment['CMUX_SOCKET']].find(
    (one) => one !== undefined && one !== '',
  );
  return text === undefined ? undefined : parseAddress(text);
}

/** Largest marker file that is read; it holds one path. */
const MAX_MARKER_BYTES = 4_096;

/**
 * Where a stable build may listen besides: what its marker files name, then its usual places, newest first
 * (0.64.13 moved them; seen 2026-08).
 */
export function usualAddresses({ home, uid }: AddressSources): readonly CmuxAddress[] {
  const state = join(home, '.local', 'state', 'cmux');
  const support = join(home, 'Library', 'Application Support', 'cmux');
  const markers = [join(state, 'last-socket-path'), join(support, 'last-socket-path'), '/tmp/cmux-last-socket-path'];
  const paths = [
    ...markers.flatMap((path) => markedPath(path)),
    join(state, 'cmux.sock'),
    join(state, `cmux-${uid}.sock`),
    join(support, 'cmux.sock'),
    '/tmp/cmux.sock',
    `/tmp/cmux-${uid}.sock`,
  ];
  return [...new Set(paths)].map((path) => ({ kind: 'unix', path }));
}

export function addressText(address: CmuxAddress): string {
  return address.kind === 'unix' ? address.path : `${address.host}:${address.port}`;
}

function markedPath(markerPath: string): readonly string[] {
  try {
    const text = readFileSync(markerPath, 'utf8');
    const path = text.trim();
    return text.length <= MAX_MARKER_BYTES && path.startsWith('/') && !path.includes('\n') ? [path] : [];
  } catch {
    return []; // no marker: the usual places are looked at
  }
}
