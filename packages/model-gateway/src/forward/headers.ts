import type { IncomingHttpHeaders } from 'node:http';
import type { WireFormat } from '../formats/format.ts';
import type { UpstreamKey } from '../model.ts';

/** What carries a credential, whatever the format. None of it goes upstream. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];
/** Query parameters that do. */
const CREDENTIAL_PARAMETERS = ['key', 'api_key', 'access_token'];

/** Takes the agent's own credentials out of its request. */
export function dropCredentials(headers: IncomingHttpHeaders): void {
  for (const name of CREDENTIALS) delete headers[name];
}

/** The query as it goes upstream, with its question mark; empty where there is none. */
export function queryWithoutCredentials(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of CREDENTIAL_PARAMETERS) parameters.delete(name);
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** What is set on the way upstream: the real key, and that the answer comes as it is, so that it can be read. */
export function upstreamHeaders(format: WireFormat, key: UpstreamKey | null): Readonly<Record<string, string>> {
  const plain = { 'accept-encoding': 'identity' };
  if (key === null) return plain;
  const sentAs = key.sentAs ?? format.keyHeader;
  return sentAs === 'bearer' ? { ...plain, authorization: `Bearer ${key.value}` } : { ...plain, [sentAs]: key.value };
}
