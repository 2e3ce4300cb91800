import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Attempt } from './attempt.ts';
import { GatewayError } from './errors.ts';
import { Forwarder } from './forward/forward-request.ts';
import { refuse } from './forward/refuse.ts';
import { type AttemptRoute, type GatewayAttempt, type ModelGateway, RefusalCode } from './model.ts';

/** Opens a gateway on a free port of loopback. Throws GatewayError GATEWAY_UNAVAILABLE. The caller closes it. */
export async function openGateway(): Promise<ModelGateway> {
  const gateway = new Gateway();
  await gateway.listen();
  return gateway;
}

class Gateway implements ModelGateway {
  readonly #attempts = new Map<string, Attempt>();
  readonly #forwarder = new Forwarder();
  readonly #server: Server;
  #isClosed = false;

  constructor() {
    // An agent may think for longer between two requests than any time limit that fits here.
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
      void this.#answer(request, response);
    });
  }

  async listen(): Promise<void> {
    try {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new GatewayError('GATEWAY_UNAVAILABLE', 'the gateway can not listen on 127.0.0.1', { cause });
    }
  }

  get port(): number {
    // A TCP server that listens has an address with a port.
    return (this.#server.address() as AddressInfo).port;
  }

  admit(route: AttemptRoute): GatewayAttempt {
    if (this.#isClosed) throw new GatewayError('GATEWAY_CLOSED', 'the gateway is closed, and admits nobody any more');
    const attempt = new Attempt(route);
    this.#attempts.set(attempt.token, attempt);
    return {
      url: `http://127.0.0.1:${this.port}/${attempt.token}`,
      turns: () => attempt.turns(),
      close: () => this.#closeAttempt(attempt),
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const attempt of this.#attempts.values()) this.#closeAttempt(attempt);
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#forwarder.close();
    await closed;
  }

  #closeAttempt(attempt: Attempt): void {
    this.#attempts.delete(attempt.token);
    attempt.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, path, search } = partsOf(request.url ?? '/');
    const attempt = this.#attempts.get(token);
    if (attempt === undefined) return refuse(response, RefusalCode.attemptUnknown);
    attempt.hold(response);
    await this.#forwarder.forward({ attempt, request, response, path, search });
  }
}

/** `/<token>/<path>?<query>`, taken apart as it stands: nothing is decoded or resolved, so that nothing slips through. */
function partsOf(url: string): { readonly token: string; readonly path: string; readonly search: string } {
  const [, token = '', path = '', search = ''] = /^\/([^/?]*)([^?]*)(.*)$/s.exec(url) ?? [];
  return { token, path, search };
}
