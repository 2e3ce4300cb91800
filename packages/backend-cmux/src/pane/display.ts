import { constants, openSync, write } from 'node:fs';

/** What waits for a slow terminal; beyond, output is skipped, and said so. */
const MAX_WAITING_BYTES = 256 * 1024;
/** How soon a terminal that takes nothing is tried again. */
const TRY_AGAIN_MS = 100;

/** Shows what agents print. Never blocks, never fails: nobody may be looking, and the terminal may have gone. */
export interface Display {
  show(chunk: Uint8Array): void;
  /** True while a write is under way: the process can't exit by itself then. */
  isWriting(): boolean;
}

/**
 * The terminal of this process, opened anew so that a write to a terminal that is stopped comes back instead of holding up the
 * process; its standard output where it has none.
 */
export function openTerminal(): number {
  try {
    return openSync('/dev/tty', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 1;
  }
}

/** Writes one piece after the other to a descriptor. */
export function displayOn(descriptor: number): Display {
  return new QueuedDisplay(descriptor);
}

class QueuedDisplay implements Display {
  readonly #descriptor: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #skippedBytes = 0;
  #isWriting = false;
  #isGone = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  show(chunk: Uint8Array): void {
    if (this.#isGone) return;
    if (this.#waitingBytes + chunk.byteLength > MAX_WAITING_BYTES) {
      this.#skippedBytes += chunk.byteLength;
      return;
    }
    if (this.#skippedBytes > 0)
      this.#add(Buffer.from(`\n… ${this.#skippedBytes} bytes not shown; the log has them …\n`));
    this.#skippedBytes = 0;
    this.#add(Uint8Array.from(chunk));
    this.#next();
  }

  isWriting(): boolean {
    return this.#isWriting;
  }

  #add(piece: Uint8Array): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
  }

  #next(): void {
    if (this.#isWriting || this.#isGone || this.#waiting.length === 0) return;
    const piece = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#isWriting = true;
    write(this.#descriptor, piece, (error, written) => {
      this.#isWriting = false;
      if (error !== null && error.code !== 'EAGAIN') {
        this.#isGone = true; // EIO: the pane was closed; the worker goes on without one
        return;
      }
      const writtenBytes = error === null ? written : 0;
      this.#waitingBytes -= writtenBytes;
      if (writtenBytes < piece.byteLength) this.#waiting.unshift(piece.subarray(writtenBytes));
      if (error === null) this.#next();
      else setTimeout(() => this.#next(), TRY_AGAIN_MS).unref();
    });
  }
}
