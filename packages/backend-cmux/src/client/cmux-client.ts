/**
 * A client of the app's socket. Invariants:
 *
 * C1 One connection at most, opened when it is needed; requests go one after the other, each with a time limit.
 * C2 A request that changes something is never sent twice: a lost reply is CMUX_REPLY_LOST, and whoever asked looks it up.
 * C3 After a request that wasn't answered in time the connection is dropped: a late reply would be taken for the next one's.
 * C4 Nothing that takes the focus is ever sent.
 * C5 Only codes decide; messages may be in any language.
 */
import { CmuxError } from '../errors.ts';
import type { CmuxAddress } from './address.ts';
import { type Handshake, shakeHands } from './handshake.ts';
import type { LineConnection } from './line-connection.ts';
import { isRepeatable, withoutFocus } from './methods.ts';
import type { RelayCredentials } from './relay-auth.ts';
import { readReply, refusalIn } from './replies.ts';

export type CmuxParams = Readonly<Record<string, unknown>>;
export type CmuxResult = Readonly<Record<string, unknown>>;

export interface CmuxClientOptions {
  readonly address: CmuxAddress;
  /** `CMUX_SOCKET_CAPABILITY`: lets in what the app can't see to be its descendant (from 0.64.18). */
  readonly capability?: string | undefined;
  readonly password?: string | undefined;
  readonly relay?: RelayCredentials | undefined;
  /** Of one request; {@link DEFAULT_REQUEST_TIMEOUT_MS} where absent. */
  readonly requestTimeoutMs?: number;
}

/** As long as the app's own command line waits. */
export const DEFAULT_REQUEST_TIMEOUT_MS = 15_000;

/** The server closes a connection that says nothing for 30 s: it is told that somebody is there, and after too long a new one is safer. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 2_000;
const MAX_IDLE_MS = 28_000;

export interface CmuxClient {
  /**
   * One request. Throws CmuxError: CMUX_REFUSED with the app's own code; CMUX_REPLY_LOST and CMUX_UNRESPONSIVE where it isn't
   * known what came of it; CMUX_UNREACHABLE, CMUX_DENIED, CMUX_PASSWORD_NEEDED, CMUX_NOT_UNDERSTOOD where nothing was done.
   */
  call(method: string, params?: CmuxParams, o?: { readonly timeoutMs?: number }): Promise<CmuxResult>;
  /** One line of the older half of the protocol, whose reply is one line. Throws as `call`. */
  say(line: string, o?: { readonly timeoutMs?: number }): Promise<string>;
  /** How many connections were opened so far. */
  connections(): number;
  close(): void;
}

/** A client; nothing is connected yet. */
export function createCmuxClient(options: CmuxClientOptions): CmuxClient {
  const client = new SerialClient(options);
  return {
    call: (method, params = {}, o = {}) => client.call(method, params, o.timeoutMs),
    say: (line, o = {}) => client.say(line, o.timeoutMs),
    connections: () => client.opened,
    close: () => client.close(),
  };
}

class SerialClient {
  opened = 0;
  readonly #options: CmuxClientOptions;
  #connection: LineConnection | undefined;
  #hands: Handshake = { usesCapability: undefined };
  #lastUsedMs = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(options: CmuxClientOptions) {
    this.#options = options;
  }

  call(method: string, params: CmuxParams, timeoutMs?: number): Promise<CmuxResult> {
    const sent = withoutFocus(method, params); // C4
    return this.#inTurn(async () => {
      const id = String(this.#nextId++);
      const request = JSON.stringify({ id, method, params: sent });
      const line = await this.#exchange(request, { timeoutMs, mayRepeat: isRepeatable(method) });
      return readReply(line, { id, method });
    });
  }

  say(text: string, timeoutMs?: number): Promise<string> {
    if (/[\r\n]/.test(text)) throw new TypeError('a line has no line break in it');
    return this.#inTurn(async () => {
      const line = await this.#exchange(text, { timeoutMs, mayRepeat: false });
      if (line.startsWith('ERROR')) throw refusalIn(line);
      return line;
    });
  }

  close(): void {
    clearTimeout(this.#keepAlive);
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** C1 */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #exchange(
    line: string,
    o: { readonly timeoutMs: number | undefined; readonly mayRepeat: boolean },
  ): Promise<string> {
    try {
      return await this.#exchangeOnce(line, o.timeoutMs);
    } catch (error) {
      // C2
      if (!o.mayRepeat || !(error instanceof CmuxError) || error.code !== 'CMUX_REPLY_LOST') throw error;
      return this.#exchangeOnce(line, o.timeoutMs);
    }
  }

  async #exchangeOnce(
    line: string,
    timeoutMs = this.#options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
  ): Promise<string> {
    const connection = await this.#connected(timeoutMs);
    const { capability } = this.#options;
    const isPrefixed = this.#hands.usesCapability === true && capability !== undefined;
    connection.write(isPrefixed ? `_cmux_capability_v1 ${capability} ${line}` : line);
    const heard = await connection.next(timeoutMs);
    this.#used();
    if (heard === 'late') {
      this.close(); // C3
      throw new CmuxError('CMUX_UNRESPONSIVE', `cmux has not answered within ${timeoutMs} ms`, {
        hint: 'its main thread is busy or hangs; look at the app, restart it if it stays so',
      });
    }
    if (heard !== 'closed') return heard.line;
    this.close();
    throw new CmuxError('CMUX_REPLY_LOST', 'the connection to cmux ended before the reply');
  }

  /** As long as this process lives anyway; it isn't kept alive for it. */
  #used(): void {
    this.#lastUsedMs = performance.now();
    clearTimeout(this.#keepAlive);
    this.#keepAlive = setTimeout(
      () => void this.call('system.ping', {}, KEEP_ALIVE_TIMEOUT_MS).catch(() => undefined),
      KEEP_ALIVE_MS,
    ).unref();
  }

  async #connected(timeoutMs: number): Promise<LineConnection> {
    const isFresh = performance.now() - this.#lastUsedMs < MAX_IDLE_MS;
    if (this.#connection?.isOpen === true && isFresh) return this.#connection;
    this.close();
    const { connection, ...hands } = await shakeHands(this.#options, this.#hands, timeoutMs, () => {
      this.opened += 1;
    });
    this.#hands = hands;
    this.#connection = connection;
    this.#used();
    return connection;
  }
}
