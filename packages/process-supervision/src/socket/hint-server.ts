import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { messageOf, SupervisionError } from '../errors.ts';
import { parseStopMessage, type StageMessage, type StopMessage } from '../wire/socket-messages.ts';
import { lineCutter } from './json-lines.ts';

export interface HintServer {
  /** Tells all who listen; one that doesn't read is dropped rather than waited for. */
  tell(message: StageMessage): void;
  /** Hangs up on everybody and takes the socket away. */
  close(): Promise<void>;
}

export interface HintServerOptions {
  readonly socketPath: string;
  /** What a new listener is told first. */
  readonly current: () => readonly StageMessage[];
  readonly onStop: (message: StopMessage) => void;
}

/** Listeners of one batch are a few commands of one user. */
const MAX_LISTENERS = 64;
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * Listens on a unix socket in a folder that only this user may enter. Whatever lies at the path is a leftover, since
 * the caller holds the batch's live lock. Throws SupervisionError SOCKET_UNAVAILABLE.
 */
export async function openHintServer(options: HintServerOptions): Promise<HintServer> {
  const listeners = new Set<Socket>();
  const server = createServer((socket) => welcome(socket, listeners, options));
  server.maxConnections = MAX_LISTENERS;
  try {
    await preparePrivateFolder(dirname(options.socketPath));
    await rm(options.socketPath, { force: true });
    await listen(server, options.socketPath);
    await chmod(options.socketPath, 0o600);
  } catch (error) {
    server.close();
    throw new SupervisionError('SOCKET_UNAVAILABLE', `no socket at ${options.socketPath}: ${messageOf(error)}`, {
      path: options.socketPath,
      hint: 'listeners poll the sidecars instead',
      cause: error,
    });
  }
  return {
    tell: (message) => {
      for (const socket of listeners) send(socket, message);
    },
    close: () => hangUp(server, listeners),
  };
}

async function preparePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is no folder`);
  if (process.getuid !== undefined && stats.uid !== process.getuid())
    throw new Error(`${folder} belongs to another user`);
  if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      // An accept that fails (too many open files) costs that listener only.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function welcome(socket: Socket, listeners: Set<Socket>, options: HintServerOptions): void {
  const cutter = lineCutter();
  listeners.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => listeners.delete(socket));
  socket.on('data', (chunk: Uint8Array) => {
    const lines = cutter.push(chunk);
    if (lines === undefined) socket.destroy();
    for (const message of (lines ?? []).map(parseStopMessage)) {
      if (message !== undefined) options.onStop(message);
    }
  });
  for (const message of options.current()) send(socket, message);
}

function send(socket: Socket, message: StageMessage): void {
  if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
  else socket.write(`${JSON.stringify(message)}\n`);
}

function hangUp(server: Server, listeners: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of listeners) {
      // What was told last is flushed; whoever doesn't read it is not waited for.
      socket.end();
      setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
    }
  });
}

const HANG_UP_MS = 500;
