import type { Writable } from 'node:stream';
import type { LaunchLine } from './wire/launch-line.ts';

/** Tells the launching command what becomes of its order. Nobody may be listening any more: that changes nothing. */
export interface LaunchReport {
  tell(line: LaunchLine): void;
  /** No more lines; resolves when the last is handed over or nobody reads. */
  close(): Promise<void>;
}

export function reportLaunch(output: Writable): LaunchReport {
  // EPIPE: the command has died. What it ordered goes on.
  output.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  return {
    tell: (line) => {
      if (output.writable) output.write(`${JSON.stringify(line)}\n`);
    },
    close: () => {
      closing ??= closed(output);
      return closing;
    },
  };
}

/** A reader that is stopped must not keep a supervisor from its work, or alive. */
const CLOSE_MS = 2_000;

function closed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      output.destroy();
      resolve();
    }, CLOSE_MS);
    const done = (): void => {
      clearTimeout(giveUp);
      resolve();
    };
    output.once('close', done);
    output.once('error', done);
    if (output.writable) output.end(done);
    else done();
  });
}
