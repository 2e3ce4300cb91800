import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type LaunchLine, parseLaunchLine } from '@bailiwick/process-supervision';

/** How listening to a pane's supervisor ended. */
type LinkEnd = 'told' | 'closed' | 'silent' | 'aborted';

export interface HeardLines {
  readonly lines: readonly LaunchLine[];
  readonly end: LinkEnd;
}

/**
 * The line between a command and the program in a pane. The program connects and waits for its order; the order is handed to one
 * program, once. Closed before that, it can never start anything: whoever gave up may run the job elsewhere.
 */
export interface PaneLink {
  /** True once a program waits at the other end; false where none has come in time. */
  arrived(timeoutMs: number): Promise<boolean>;
  /** Hands over the order and listens until it has told of every job, or says nothing for `timeoutMs`. */
  hand(
    order: string,
    o: { readonly timeoutMs: number; readonly onLine: (line: LaunchLine) => void; readonly signal?: AbortSignal },
  ): Promise<HeardLines>;
  close(): void;
}

/** Listens at a path in a folder that nobody else can look into. */
export async function openPaneLink(socketPath: string): Promise<PaneLink> {
  const link = new Link();
  await link.listen(socketPath);
  return link;
}

class Link implements PaneLink {
  readonly #server: Server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  #program: Socket | undefined;
  #wake: () => void = () => undefined;

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, resolve);
    });
  }

  async arrived(timeoutMs: number): Promise<boolean> {
    if (this.#isThere()) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#isThere();
  }

  hand(order: string, o: Parameters<PaneLink['hand']>[1]): Promise<HeardLines> {
    const program = this.#program;
    if (program === undefined || !program.writable) return Promise.resolve({ lines: [], end: 'closed' });
    program.end(order);
    return listenTo(program, o);
  }

  close(): void {
    this.#program?.destroy();
    this.#server.close();
  }

  #isThere(): boolean {
    return this.#program !== undefined && !this.#program.destroyed;
  }

  /** The first that comes: a launcher that was typed twice has nothing to do the second time. */
  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.#isThere()) {
      socket.destroy();
      return;
    }
    this.#program = socket;
    this.#wake();
  }
}

function listenTo(program: Socket, o: Parameters<PaneLink['hand']>[1]): Promise<HeardLines> {
  const lines: LaunchLine[] = [];
  return new Promise((resolve) => {
    const finish = (end: LinkEnd): void => {
      clearTimeout(silence);
      o.signal?.removeEventListener('abort', onAbort);
      resolve({ lines, end });
    };
    const silence = setTimeout(() => finish('silent'), o.timeoutMs);
    const onAbort = (): void => finish('aborted');
    o.signal?.addEventListener('abort', onAbort);
    const reader = createInterface({ input: program });
    reader.on('close', () => finish('closed'));
    program.on('close', () => finish('closed'));
    reader.on('line', (text) => {
      silence.refresh();
      const line = parseLaunchLine(text);
      if (line === undefined) return;
      lines.push(line);
      o.onLine(line);
      if (line.kind === 'launched' || line.kind === 'refused') finish('told');
    });
  });
}
