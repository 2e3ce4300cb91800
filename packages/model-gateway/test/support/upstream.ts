import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived at the model server. */
interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Upstream {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** A model server that answers as it is told to, and keeps what arrived. */
export async function startUpstream(
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<Upstream> {
  const arrived: Arrived[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    arrived.push({ method, url, headers, body: await text(request) });
    await answer(response, request);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A TCP server's address is one with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers with the text as a stream of events. */
export function sendEvents(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(body);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
