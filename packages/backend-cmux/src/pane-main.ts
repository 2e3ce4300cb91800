import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { runSupervisor } from '@bailiwick/process-supervision';
import { displayOn, openTerminal } from './pane/display.ts';
import { decodeEnvelope } from './pane/envelope.ts';
import { shareLock } from './pane/share-lock.ts';

/**
 * The program in a pane: fetches its order from the socket that it was told of, and supervises (CX-1). A command that has gone
 * meanwhile hands over nothing, and nothing is started. A closed pane or a terminal that hangs up doesn't end it: the worker goes on
 * without a pane. Ctrl-C in the pane ends the worker politely.
 */
let stopAll: (() => void) | undefined;
let isAskedToEnd = false;
const askToEnd = (): void => {
  isAskedToEnd = true;
  stopAll?.();
};

process.on('SIGHUP', () => undefined);
process.on('SIGINT', askToEnd);
process.on('SIGTERM', askToEnd);
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const link = connect({ path: process.argv[2] ?? '', allowHalfOpen: true });
link.on('error', () => undefined);
const received = await text(link).catch(() => '');
// A launcher that was typed a second time, or whose command has gone.
if (received === '') process.exit();

const { order, batchLockPath, heading } = decodeEnvelope(received);
const display = displayOn(openTerminal());
display.show(Buffer.from(`${heading}\n`));
const letGo = shareLock(batchLockPath);
await runSupervisor({
  orderInput: Readable.from([JSON.stringify(supervisionOrderCodec.encode(order))]),
  launchReport: link,
  display: (_, chunk) => display.show(chunk),
  onTerminate: (stop) => {
    stopAll = stop;
    if (isAskedToEnd) stop();
  },
});
letGo();
display.show(Buffer.from('\n— ended —\n'));
// A process can't exit by itself while a write to a stopped terminal is under way; all that counts is on disk by now.
setTimeout(() => (display.isWriting() ? process.kill(process.pid, 'SIGKILL') : process.exit()), 50);
