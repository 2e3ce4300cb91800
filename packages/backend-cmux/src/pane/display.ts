import { write } from 'node:fs';

/** What waits for a slow terminal; beyond, output is skipped, and said so. */
const MAX_WAITING_BYTES = 256 * 1024;

/** Shows what agents print. Never blocks, never fails: nobody may be looking, and the terminal may have gone. */
export interface Display {
  show(chunk: Uint8Array): void;
}

/** Writes one piece after the other to a descriptor; a terminal that is stopped costs nothing but what is skipped. */
export function displayOn(descriptor: number): Display {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let skippedBytes = 0;
  let isWriting = false;
  let isGone = false;
  const next = (): void => {
    if (isWriting || isGone || waiting.length === 0) return;
    const piece = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    isWriting = true;
    write(descriptor, piece, (error) => {
      isWriting = false;
      // EIO: the pane was closed. The worker goes on without one.
      if (error !== null && error.code !== 'EAGAIN') isGone = true;
      next();
    });
  };
  return {
    show: (chunk) => {
      if (isGone) return;
      if (waitingBytes + chunk.byteLength > MAX_WAITING_BYTES) {
        skippedBytes += chunk.byteLength;
        return;
      }
      if (skippedBytes > 0) waiting.push(Buffer.from(`\n… ${skippedBytes} bytes not shown; the log has them …\n`));
      skippedBytes = 0;
      waiting.push(Uint8Array.from(chunk));
      waitingBytes += chunk.byteLength;
      next();
    },
  };
}
