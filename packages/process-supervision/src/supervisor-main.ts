import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { runSupervisor } from './supervisor.ts';

/**
 * The program: an order on standard input, launch lines on standard output. It is detached, so that neither a closed
 * terminal nor Ctrl-C in the terminal of its command concerns it; SIGTERM ends its workers politely.
 */
let stopAll: (() => void) | undefined;
let isAskedToEnd = false;

process.on('SIGHUP', () => undefined);
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => {
  isAskedToEnd = true;
  stopAll?.();
});
// What Node warns of goes nowhere once the command has gone.
process.stderr.on('error', () => undefined);

await runSupervisor({
  orderInput: process.stdin,
  launchReport: unblockingOutput(),
  onTerminate: (stop) => {
    stopAll = stop;
    if (isAskedToEnd) stop();
  },
});
// A process that escaped every search may hold a pipe of ours open; nothing waits for it.
process.exit();

/** `process.stdout` writes to a pipe synchronously: a command that is stopped would stop its supervisor. */
function unblockingOutput(): Writable {
  try {
    return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    return process.stdout;
  }
}
