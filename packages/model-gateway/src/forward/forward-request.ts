import { Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { createProxyServer, type ProxyServer } from 'httpxy';
import type { Attempt } from '../attempt.ts';
import { RefusalCode } from '../model.ts';
import { TurnReading } from '../reading/turn-reading.ts';
import { dropCredentials, queryWithoutCredentials } from './headers.ts';
import { bodyOf, hasRule, isAllowed, modelIn } from './model-rule.ts';
import { refuse } from './refuse.ts';

/** A request of an attempt, with the path that remains of its URL. */
export interface AttemptRequest {
  readonly attempt: Attempt;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly search: string;
}

/**
 * Sends requests on to model servers and their answers back as they come. Invariants:
 *
 * F1 Only paths of the attempt's own format go on: there is no other way to a model that nobody reads.
 * F2 The agent's credentials don't go upstream; the real key goes nowhere else.
 * F3 Each piece of an answer is passed on when it comes. It is read beside, never held for that.
 */
export class Forwarder {
  readonly #proxy: ProxyServer = createProxyServer();
  readonly #agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  /** What is to be read along, by the request that it answers. */
  readonly #turns = new WeakMap<object, Attempt>();

  constructor() {
    this.#proxy.on('proxyRes', (answer, request) => {
      // A cookie of the model server's is none of the agent's.
      delete answer.headers['set-cookie'];
      const attempt = this.#turns.get(request);
      if (attempt !== undefined) readAlong(attempt, answer);
    });
  }

  /** Resolves when the answer is over, however it ended. */
  async forward(asked: AttemptRequest): Promise<void> {
    const { attempt, request, response } = asked;
    const use = attempt.format.useOf(request.method ?? 'GET', asked.path); // F1
    if (use === undefined) return turnAway(asked, RefusalCode.pathUnknown, null);
    const ruled = use === 'turn' ? await underRule(asked) : PASSES;
    if (ruled === undefined || response.destroyed) return;
    if (use === 'turn') this.#turns.set(request, attempt);
    dropCredentials(request.headers); // F2
    request.url = `${asked.path}${queryWithoutCredentials(asked.search)}`;
    await this.#send(asked, ruled.body);
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send({ attempt, request, response }: AttemptRequest, body: Buffer | undefined): Promise<void> {
    if (body !== undefined) {
      delete request.headers['transfer-encoding'];
      request.headers['content-length'] = String(body.byteLength);
    }
    try {
      await this.#proxy.web(request, response, {
        target: attempt.upstream,
        agent: attempt.upstream.protocol === 'https:' ? this.#agents.https : this.#agents.http,
        changeOrigin: true,
        headers: { ...attempt.headers },
        ...(body === undefined ? {} : { buffer: Readable.from([body]) }),
      });
    } catch {
      // The reason may hold the address, which is configuration and no secret, but helps nobody in the agent.
      if (!attempt.isClosed && !response.headersSent) attempt.tell({ kind: 'failure', status: null });
      refuse(response, RefusalCode.upstreamUnreachable);
    }
  }
}

interface Ruled {
  /** Where the request has been read already. */
  readonly body?: Buffer;
}

const PASSES: Ruled = {};

/** Whether the attempt may use the model that is asked for; undefined where it may not, and has been told. */
async function underRule(asked: AttemptRequest): Promise<Ruled | undefined> {
  const { attempt, request, path } = asked;
  const { models } = attempt.route;
  if (!hasRule(models)) return PASSES;
  const inPath = attempt.format.modelInPath(path);
  if (inPath !== undefined) return isAllowed(models, inPath) ? PASSES : away(asked, inPath);
  const body = await bodyOf(request).catch(() => undefined);
  if (body === undefined) {
    turnAway(asked, RefusalCode.requestTooLarge, null);
    return undefined;
  }
  const model = modelIn(body);
  return isAllowed(models, model) ? { body } : away(asked, model);
}

function away(asked: AttemptRequest, model: string | undefined): undefined {
  turnAway(asked, RefusalCode.modelRefused, model ?? null);
  return undefined;
}

function turnAway({ attempt, response }: AttemptRequest, code: RefusalCode, model: string | null): void {
  attempt.tell({ kind: 'refused', code, model });
  refuse(response, code);
}

/** Reads an answer while it passes (F3). Refusals of the server's are no turns. */
function readAlong(attempt: Attempt, answer: IncomingMessage): void {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) {
    attempt.tell({ kind: 'failure', status });
    return;
  }
  const turn = attempt.beginTurn();
  const reading = new TurnReading({
    turn,
    format: attempt.format,
    contentType: answer.headers['content-type'] ?? '',
    encoding: encodingOf(answer),
    onModel: (model) => attempt.tell({ kind: 'served-model', turn, model }),
  });
  const named = answer.headers['openai-model'];
  if (typeof named === 'string' && named !== '') reading.noteModel(named);
  answer.on('data', (chunk: Buffer) => reading.push(chunk));
  answer.once('close', () => attempt.endTurn(reading.finish(answer.complete)));
}

function encodingOf({ headers }: IncomingMessage): string | null {
  const encoding = headers['content-encoding'];
  return encoding === undefined || encoding === 'identity' ? null : encoding;
}
