import { text } from 'node:stream/consumers';
import type { AgentHost } from './agent-host.ts';
import { watchInterruption } from './interruption.ts';

/** This process: its stdin, stdout, stderr, signals, environment and working folder. */
export function processHost(): AgentHost {
  return {
    cwd: process.cwd(),
    env: process.env,
    pid: process.pid,
    readPrompt: () => text(process.stdin),
    print,
    complain: (message) => void process.stderr.write(`${message}\n`),
    watchInterruption,
  };
}

/** Rejects once nobody reads any more, which ends the program with its edits taken back. */
function print(bytes: Uint8Array | string): Promise<void> {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
