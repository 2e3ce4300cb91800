import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { messageOf } from '../errors.ts';

/** The file that keeps what an agent prints, both outputs in the order of arrival. */
export interface AgentLog {
  /** Resolves when the chunk is written; the caller reads on only then. Never rejects. */
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Bytes that were logged, those of rotated and dropped predecessors included. */
  readonly bytes: number;
  /** Why output was lost, or null where none was. */
  readonly problem: string | null;
}

/** Where the older half of a long log is kept. */
export function rotatedLogPath(path: string): string {
  return `${path}.1`;
}

/**
 * Opens a log that keeps at least the last `maxBytes` and at most twice that: a full file takes the place of its one
 * predecessor. Throws where the file can't be opened.
 *
 * Rotation is ours: one rename at a known byte count, O_NOFOLLOW at each opening and a write that is awaited chunk by
 * chunk, so that a slow disk holds the agent back. That is too little to take rotating-file-stream for.
 */
export async function openAgentLog(path: string, maxBytes: number): Promise<AgentLog> {
  const log = new RotatingLog(path, maxBytes);
  await log.open();
  return log;
}

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

class RotatingLog implements AgentLog {
  readonly #path: string;
  readonly #maxBytes: number;
  #file: FileHandle | undefined;
  #fileBytes = 0;
  #bytes = 0;
  #problem: string | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get problem(): string | null {
    return this.#problem;
  }

  async open(): Promise<void> {
    this.#file = await open(this.#path, FLAGS, 0o600);
    this.#fileBytes = (await this.#file.stat()).size;
  }

  write(chunk: Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => this.#append(chunk));
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
  }

  /** A full disk costs the log, never the agent: its output is read on and dropped. */
  async #append(chunk: Uint8Array): Promise<void> {
    try {
      if (this.#fileBytes > 0 && this.#fileBytes + chunk.byteLength > this.#maxBytes) await this.#rotate();
      await this.#file?.writeFile(chunk);
      this.#fileBytes += chunk.byteLength;
      this.#bytes += chunk.byteLength;
    } catch (error) {
      this.#problem ??= `output was lost: ${messageOf(error)}`;
    }
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await rename(this.#path, rotatedLogPath(this.#path));
    await this.open();
  }
}
