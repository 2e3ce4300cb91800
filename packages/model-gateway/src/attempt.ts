import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GatewayError } from './errors.ts';
import type { WireFormat } from './formats/format.ts';
import { FORMATS } from './formats/formats.ts';
import { upstreamHeaders } from './forward/headers.ts';
import type { AttemptRoute, GatewayEvent, GatewayTurn } from './model.ts';

/** 256 bits: nobody finds another attempt's path. */
const TOKEN_BYTES = 32;

/** One attempt as the gateway holds it. */
export class Attempt {
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly route: AttemptRoute;
  readonly format: WireFormat;
  readonly upstream: URL;
  /** What is set on every request upstream. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #open = new Set<ServerResponse>();
  readonly #over: GatewayTurn[] = [];
  #begun = 0;
  #isClosed = false;

  /** Throws GatewayError ROUTE_INVALID for a route that can't be used. */
  constructor(route: AttemptRoute) {
    this.route = route;
    this.format = formatOf(route);
    this.upstream = upstreamOf(route);
    this.headers = upstreamHeaders(this.format, checkedKey(route));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of an answer that begins. */
  beginTurn(): number {
    this.#begun += 1;
    return this.#begun;
  }

  endTurn(turn: GatewayTurn): void {
    this.#over.push(turn);
    this.tell({ kind: 'turn', ...turn });
  }

  turns(): readonly GatewayTurn[] {
    return [...this.#over];
  }

  tell(event: GatewayEvent): void {
    this.route.onEvent?.(event);
  }

  /** Ends the answer with the attempt, where it is still under way then. */
  hold(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
  }

  close(): void {
    this.#isClosed = true;
    for (const response of this.#open) response.destroy();
  }
}

function formatOf({ format }: AttemptRoute): WireFormat {
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format];
  throw invalid('format', `must be one of ${Object.keys(FORMATS).join(', ')}`);
}

function upstreamOf({ upstream }: AttemptRoute): URL {
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw invalid('upstream', 'is no http URL');
  if (url.username !== '' || url.password !== '') throw invalid('upstream', 'holds a password; give it as the key');
  if (url.search !== '' || url.hash !== '')
    throw invalid('upstream', 'is more than a root: it has a query or a fragment');
  return url;
}

function checkedKey({ key }: AttemptRoute): AttemptRoute['key'] {
  // The value itself is never shown.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key.value)) {
    throw invalid('key', 'is empty, or holds what no header can: a space, a line break, or more than ASCII');
  }
  return key;
}

function invalid(field: string, what: string): GatewayError {
  return new GatewayError('ROUTE_INVALID', `the route's ${field} ${what}`, { field });
}
