import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelDialect } from './dialects/dialect.ts';
import { dialectAt } from './dialects/dialects.ts';
import { stringsIn } from './model-request.ts';
import { type RecordedRequest, recordRequest } from './request-record.ts';
import type { ModelScenario } from './scenario.ts';
import { Script } from './script.ts';
import { sendReply } from './send-reply.ts';

export interface ModelServerOptions {
  readonly scenario: ModelScenario;
  /** A file that gets a JSON line per request. */
  readonly recordPath?: string;
  /** Default: any free one. */
  readonly port?: number;
}

/** A fake model that listens. */
export interface ModelServer {
  readonly port: number;
  readonly url: string;
  /** Ends it, and every answer that is still under way. */
  close(): Promise<void>;
}

/** Starts a fake model on loopback. Rejects where the port is taken. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const answering = new Answering(options);
  const server = createServer((request, response) => void answering.answer(request, response));
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is one with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

class Answering {
  readonly #options: ModelServerOptions;
  readonly #script: Script;
  #answers = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#script = new Script(options.scenario);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const body = request.method === 'POST' ? await json(request) : null;
      await this.#answerTo({ request, response, body, signal: gone.signal });
    } catch (error) {
      // The client has gone, or sent no JSON: either way nobody is left who could be told more.
      if (!gone.signal.aborted) refuse(response, 400, error instanceof Error ? error.message : String(error));
    }
  }

  async #answerTo(asked: Asked): Promise<void> {
    const path = new URL(asked.request.url ?? '/', 'http://fake').pathname;
    const dialect = asked.request.method === 'POST' ? dialectAt(path) : undefined;
    if (dialect === undefined) return this.#answerAside(asked, path);
    await this.#answerTurn(asked, dialect, path);
  }

  async #answerTurn({ request, response, body, signal }: Asked, dialect: ModelDialect, path: string): Promise<void> {
    const read = dialect.read(path, body);
    const conversation = stringsIn(body);
    const reply = this.#script.replyTo({ toolResults: read.toolResults, conversation });
    const nth = this.#answers;
    this.#answers += 1;
    await this.#record(request, { body, answer: reply.answer, model: read.model, toolResults: read.toolResults });
    const namesModelInHeader = this.#options.scenario.namesModelInHeader === true;
    await sendReply(response, { dialect, request: read, conversation, reply, nth, namesModelInHeader, signal });
  }

  /** What programs ask for besides turns: which models there are, and how long a text is. */
  async #answerAside({ request, response, body }: Asked, path: string): Promise<void> {
    const known = asideOf(request.method ?? 'GET', path);
    await this.#record(request, {
      body,
      answer: known === undefined ? 'unknown' : 'aside',
      model: null,
      toolResults: null,
    });
    if (known === undefined) return refuse(response, 404, `nothing is served at ${path}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known));
  }

  #record(
    { method = 'GET', url = '/', headers }: IncomingMessage,
    seen: Pick<RecordedRequest, 'body' | 'answer' | 'model' | 'toolResults'>,
  ): Promise<void> {
    return recordRequest(this.#options.recordPath, new Date(), { method, url, headers, ...seen });
  }
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

function asideOf(method: string, path: string): object | undefined {
  if (method === 'GET' && /\/models$/.test(path)) return { object: 'list', data: [], models: [] };
  if (method === 'POST' && path.endsWith('/messages/count_tokens')) return { input_tokens: 100 };
  if (method === 'POST' && path.endsWith(':countTokens')) return { totalTokens: 100 };
  return undefined;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}
