import { appendFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers that hold a credential. */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'cookie'];
/** And query parameters. */
const SECRET_PARAMETERS = ['key', 'api_key', 'access_token'];

/** A request as it is recorded. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** How it was answered. */
  readonly answer: string;
  readonly model: string | null;
  readonly toolResults: number | null;
}

/** Appends a request as one JSON line, without keys: their headers and parameters are named, not shown. */
export async function recordRequest(path: string | undefined, at: Date, request: RecordedRequest): Promise<void> {
  if (path === undefined) return;
  const secrets = secretsOf(request);
  const shown = { ...request, headers: headersWithoutSecrets(request.headers), url: urlWithoutSecrets(request.url) };
  const line = JSON.stringify({ schemaVersion: '1.0', at: at.toISOString(), ...shown });
  await appendFile(path, `${secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), line)}\n`, {
    mode: 0o600,
  });
}

/** The credentials themselves, which may stand elsewhere in a request too. Short ones would cut up innocent text. */
function secretsOf({ headers }: RecordedRequest): readonly string[] {
  return SECRET_HEADERS.flatMap((name) => [headers[name] ?? []].flat())
    .map((value) => value.replace(/^Bearer\s+/i, ''))
    .filter((value) => value.length >= 12);
}

function headersWithoutSecrets(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '[key]' : value]),
  );
}

function urlWithoutSecrets(text: string): string {
  const url = new URL(text, 'http://fake');
  for (const name of SECRET_PARAMETERS) if (url.searchParams.has(name)) url.searchParams.set(name, '[key]');
  return decodeURI(`${url.pathname}${url.search}`);
}
