import { connect, type Socket } from 'node:net';

/** A client that knows lines and nothing else. */
export class RawClient {
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  #rest = '';
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(socketPath: string) {
    this.#socket = connect(socketPath);
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#wake();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  write(line: string): void {
    this.#socket.write(`${line}\n`);
  }

  /** Half-closes: there is nothing more to say. */
  end(): void {
    this.#socket.end();
  }

  /** The next line; undefined where the connection was closed instead. */
  async line(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#lines.shift();
  }

  async say(line: string): Promise<string | undefined> {
    this.write(line);
    return this.line();
  }

  async call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const line = await this.say(JSON.stringify({ id: 'x', method, params }));
    return JSON.parse(line ?? '{"ok":false,"error":{"code":"closed"}}');
  }

  close(): void {
    this.#socket.destroy();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape
export type Reply = { ok: boolean; result?: any; error?: { code: string; message: string; data?: unknown } };
