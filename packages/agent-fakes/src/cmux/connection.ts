import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type AccessFacts, AccessMode, admit, denial } from './access.ts';
import type { CmuxApp } from './app.ts';
import type { ConductWatch } from './conduct.ts';
import { encodeReply } from './encode-reply.ts';
import { localised, RpcFailure } from './failure.ts';
import type { Faults } from './faults.ts';
import type { Params } from './params.ts';
import type { Methods, RpcSurroundings } from './rpc/method.ts';
import { answerV1 } from './sidebar/v1.ts';

/** All that a connection talks to. */
export interface ServerParts {
  readonly app: CmuxApp;
  readonly methods: Methods;
  readonly around: RpcSurroundings;
  readonly faults: Faults;
  readonly watch: ConductWatch;
  readonly access: () => AccessFacts;
  readonly random: () => number;
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** One client: lines in, replies out, strictly in order. */
export class Connection {
  readonly #socket: Socket;
  readonly #parts: ServerParts;
  readonly #number: number;
  #received = '';
  #work: Promise<void> = Promise.resolve();
  #isAuthenticated = false;
  #endStream: (() => void) | undefined;

  constructor(socket: Socket, parts: ServerParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#number = parts.watch.connected();
    socket.setEncoding('utf8');
    socket.setTimeout(parts.faults.settings.idleCloseMs, () => socket.destroy());
    socket.on('error', () => undefined);
    // A client may have said all it wants to say; what it asked is answered before it is let go.
    socket.on('end', () => void this.#work.then(() => socket.end()));
    socket.on('close', () => {
      this.#endStream?.();
      parts.watch.disconnected();
    });
    const access = parts.access();
    if (access.mode === AccessMode.deny && access.version.deniesAtAccept) socket.end(`${denial(access)}\n`);
    else socket.on('data', (text: string) => this.#receive(text));
  }

  /** As a mode that was changed under it: told, then closed. */
  revoke(): void {
    this.#socket.end(`${denial(this.#parts.access())}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    if (this.#received.length > MAX_LINE_BYTES) this.#socket.destroy();
    const lines = this.#received.split('\n');
    this.#received = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#work = this.#work.then(() => this.#answer(line));
  }

  async #answer(raw: string): Promise<void> {
    const { faults, access } = this.#parts;
    if (faults.settings.isHanging || this.#socket.destroyed) return;
    const admission = admit(raw, access(), { isAuthenticated: this.#isAuthenticated });
    if (admission.kind === 'refuse') {
      this.#socket.end(`${admission.reply}\n`);
      return;
    }
    if (admission.isAuthenticated === true) this.#isAuthenticated = true;
    if (admission.kind === 'reply') await this.#send(admission.reply);
    else if (admission.line.startsWith('{')) await this.#answerV2(admission.line);
    else await this.#answerV1(admission.line);
  }

  async #answerV1(line: string): Promise<void> {
    const { app, watch } = this.#parts;
    const reply = answerV1(app, line);
    watch.noteLine(this.#number, line, reply);
    const [, error] = /^ERROR: (.*)$/s.exec(reply) ?? []; // data is in nobody's language
    await this.#send(error === undefined ? reply : `ERROR: ${this.#spoken(error)}`);
  }

  async #answerV2(line: string): Promise<void> {
    const request = parseRequest(line);
    if ('failure' in request) return this.#reply(request.failure);
    const { id, method, params } = request;
    // A password is nothing to be kept.
    const noted = this.#parts.watch.note(this.#number, method, method === 'auth.login' ? {} : params);
    if (method === 'events.stream' && this.#parts.app.version.hasEvents) {
      noted.outcome = 'ok';
      return this.#stream(params);
    }
    const reply = this.#perform(method, params);
    noted.outcome = reply.ok ? 'ok' : reply.error.code;
    if (this.#parts.faults.isDropped(method)) {
      noted.outcome = 'dropped';
      this.#socket.destroy();
      return;
    }
    await this.#reply({ id, ...reply });
  }

  #perform(method: string, params: Params): Outcome {
    const { app, methods, around } = this.#parts;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler === undefined) return { ok: false, error: { code: 'method_not_found', message: 'Unknown method' } };
    try {
      return { ok: true, result: handler(app, params, around) };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      const { code, data } = error;
      const message = this.#spoken(error.message);
      return { ok: false, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }

  #spoken(message: string): string {
    return this.#parts.access().isLocalised ? localised(message) : message;
  }

  #stream(params: Params): void {
    const { app, random } = this.#parts;
    this.#endStream = app.feed.subscribe(params, (frame) => this.#socket.write(`${encodeReply(frame, random)}\n`));
  }

  async #reply(reply: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#send(encodeReply(reply, this.#parts.random));
  }

  async #send(text: string): Promise<void> {
    const { delayMs, chunkBytes } = this.#parts.faults.settings;
    if (delayMs > 0) await pause(delayMs);
    const bytes = Buffer.from(`${text}\n`);
    const step = chunkBytes > 0 ? chunkBytes : bytes.length;
    for (let at = 0; at < bytes.length; at += step) {
      if (!this.#socket.writable) return;
      this.#socket.write(bytes.subarray(at, at + step));
      if (chunkBytes > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string; readonly data?: unknown };
    };

type Request =
  | { readonly id: unknown; readonly method: string; readonly params: Params }
  | { readonly failure: Readonly<Record<string, unknown>> };

function parseRequest(line: string): Request {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { failure: { ok: false, error: { code: 'parse_error', message: 'Invalid JSON' } } };
  }
  const { id = null, method, params } = parsed as Readonly<Record<string, unknown>>; // a line that begins with a brace
  if (typeof method !== 'string')
    return { failure: { id, ok: false, error: { code: 'invalid_request', message: 'Missing method' } } };
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return { id, method, params: isObject ? (params as Params) : {} };
}
