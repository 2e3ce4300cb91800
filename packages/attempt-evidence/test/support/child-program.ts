import { spawn } from 'node:child_process';
import { programPath } from '@bailiwick/tooling/program-path';
import { onTestFinished } from 'vitest';

/** What a fixture program was when it ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/** Runs `test/fixtures/<name>.ts` in a process of its own, to its end. */
export function runProgram(name: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [programPath(name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, output }));
  });
}
