import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface SocketPlace {
  /** The user's own folder for sockets: `$XDG_RUNTIME_DIR`, else a short folder that nobody else can write. */
  readonly runtimeFolder: string;
  readonly runDirectory: string;
  readonly batchId: string;
}

/** A socket's address has 104 bytes on macOS and 108 on Linux, the closing NUL included. */
export const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Where the supervisor of a batch listens: the same for everybody who knows run and batch, never inside the project.
 * Null where the runtime folder's path is too long for any socket in it; one then polls.
 */
export function socketPathFor({ runtimeFolder, runDirectory, batchId }: SocketPlace): string | null {
  const name = createHash('sha256').update(`${runDirectory}\0${batchId}`).digest('base64url').slice(0, 16);
  const path = join(runtimeFolder, 'bailiwick', `${name}.sock`);
  return Buffer.byteLength(path) < MAX_SOCKET_PATH_BYTES ? path : null;
}
