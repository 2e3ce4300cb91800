import { createConnection, type Socket } from 'node:net';
import { messageOf, SupervisionError } from '../errors.ts';
import { parseStageMessage, type StageMessage, type StopMessage } from '../wire/socket-messages.ts';
import { lineCutter } from './json-lines.ts';

/** A line to the supervisor of one batch. Whoever opened it closes it. */
export interface SupervisorConnection {
  /** Calls `listener` for every hint until the connection ends; the first ones say where each attempt stands now. */
  onHint(listener: (message: StageMessage) => void): void;
  /**
   * Asks for attempts to be ended; resolves once the words are handed to the kernel. The sidecars tell when it is done.
   */
  stop(message: StopMessage): Promise<void>;
  /**
   * Resolves when either side has hung up: the supervisor does so when its last terminal sidecar is durable, or by
   * dying.
   */
  readonly closed: Promise<void>;
  /** Words that were sent still arrive. */
  close(): void;
}

/** Hints that came before anybody listened; whoever only stops never listens. */
const MAX_EARLY_HINTS = 1_000;

/** Throws SupervisionError SOCKET_UNREACHABLE where nobody listens. */
export async function connectSupervisor(socketPath: string): Promise<SupervisorConnection> {
  const socket = await connected(socketPath);
  const listeners: ((message: StageMessage) => void)[] = [];
  const early: StageMessage[] = [];
  const cutter = lineCutter();
  socket.on('data', (chunk: Uint8Array) => {
    const lines = cutter.push(chunk);
    if (lines === undefined) socket.destroy();
    for (const message of (lines ?? []).map(parseStageMessage)) {
      if (message === undefined) continue;
      if (listeners.length === 0 && early.length < MAX_EARLY_HINTS) early.push(message);
      for (const listener of listeners) listener(message);
    }
  });
  return {
    onHint: (listener) => {
      listeners.push(listener);
      for (const message of early.splice(0)) listener(message);
    },
    stop: (message) => written(socket, `${JSON.stringify(message)}\n`),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => hangUp(socket),
  };
}

function connected(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path: socketPath });
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.on('error', () => undefined);
      resolve(socket);
    });
    const fail = (error: Error): void => {
      reject(
        new SupervisionError('SOCKET_UNREACHABLE', `no supervisor listens at ${socketPath}: ${messageOf(error)}`, {
          path: socketPath,
          hint: 'poll the sidecars; the live lock says whether the supervisor lives',
          cause: error,
        }),
      );
    };
    socket.once('error', fail);
  });
}

/** A supervisor that hangs up first has read the words or is past caring; its sidecars say which. */
function written(socket: Socket, line: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve();
      return;
    }
    socket.once('close', () => resolve());
    socket.write(line, () => resolve());
  });
}

/** A supervisor that doesn't hang up in turn isn't waited for. */
const HANG_UP_MS = 2_000;

/**
 * Closed at once, with hints unread, the other side's next write would fail and take with it what it has not read yet:
 * so this side only ends, and reads on until the other one ends as well.
 */
function hangUp(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const giveUp = setTimeout(() => socket.destroy(), HANG_UP_MS);
  socket.once('close', () => clearTimeout(giveUp));
}
