import { spawn } from 'node:child_process';

/** How a short command ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
  /** The last line that it printed as an error. */
  readonly said: string;
}

/** A machine that takes longer to make a namespace has another problem. */
const TIMEOUT_MS = 10_000;
/** Of errors only the last line is wanted, and they may be many. */
const MAX_ERROR_CHARACTERS = 2_000;

/** Runs a command that is over at once, without input. Rejects where it can't be started. */
export function runBriefly([program = '', ...args]: readonly string[], timeoutMs = TIMEOUT_MS): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-MAX_ERROR_CHARACTERS);
    });
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output, said: errors.trim().split('\n').pop() ?? '' }));
  });
}
