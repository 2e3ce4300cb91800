import { connect, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { CmuxError } from '../errors.ts';
import { addressText, type CmuxAddress } from './address.ts';

/** From asking to connect to being connected; a local socket takes less than a millisecond. */
const CONNECT_TIMEOUT_MS = 2_000;
/** A reply is a line; a scrollback of a long session is a few megabytes. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/** An open connection on which one line is said and one awaited, in turn. It holds its process only while one waits. */
export interface LineConnection {
  readonly isOpen: boolean;
  write(line: string): void;
  /** The next line, `closed` at the end, or `late`. */
  next(timeoutMs: number): Promise<{ readonly line: string } | 'closed' | 'late'>;
  close(): void;
}

/** Connects; throws CmuxError CMUX_UNREACHABLE with the system's code. */
export function openConnection(address: CmuxAddress): Promise<LineConnection> {
  const socket = address.kind === 'unix' ? connect(address.path) : connect(address.port, address.host);
  return new Promise((resolve, reject) => {
    const fail = (systemCode: string, cause?: unknown): void => {
      socket.destroy();
      reject(
        new CmuxError('CMUX_UNREACHABLE', `can't connect to cmux at ${addressText(address)}: ${systemCode}`, {
          systemCode,
          cause,
        }),
      );
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), CONNECT_TIMEOUT_MS);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(error.code ?? error.message, error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(new SocketLines(socket));
    });
  });
}

class SocketLines implements LineConnection {
  readonly #socket: Socket;
  readonly #decoder = new StringDecoder('utf8');
  readonly #lines: string[] = [];
  #rest = '';
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.unref();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // EPIPE or ECONNRESET: what was written may have been read all the same, and an answer may be here already.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#socket.writable && !this.#socket.readableEnded;
  }

  write(line: string): void {
    this.#socket.write(`${line}\n`);
  }

  async next(timeoutMs: number): Promise<{ readonly line: string } | 'closed' | 'late'> {
    this.#socket.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), timeoutMs);
      });
      return await Promise.race([this.#lineOrEnd(), late]);
    } finally {
      clearTimeout(timer);
      this.#socket.unref();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #lineOrEnd(): Promise<{ readonly line: string } | 'closed'> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return { line };
      if (this.#isClosed) return 'closed';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #receive(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE_CHARACTERS) this.#socket.destroy();
    this.#lines.push(...lines);
    this.#wake();
  }
}
