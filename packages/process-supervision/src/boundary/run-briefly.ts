import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** How a short command ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
  /** The last line that it printed as an error, or that it took too long. */
  readonly said: string;
}

/** Where and how long a short command runs. */
export interface Briefly {
  readonly timeoutMs?: number;
  /** Absent: the own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A machine that takes longer to make a namespace has another problem. */
const TIMEOUT_MS = 10_000;
/** Of errors only the last line is wanted, and they may be many. */
const MAX_ERROR_CHARACTERS = 2_000;
/** What outlives a command may hold its output open for as long as it likes. */
const OUTPUT_AFTER_END_MS = 500;

/** Runs a command that is over at once, without input, and ends it where it isn't. Rejects where it can't be started. */
export function runBriefly([program = '', ...args]: readonly string[], briefly: Briefly = {}): Promise<Ended> {
  const { timeoutMs = TIMEOUT_MS, env, cwd } = briefly;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env && { env }), ...(cwd && { cwd }) });
    let [output, errors, isLate] = ['', '', false];
    const limit = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    readText(child.stdout, (text) => {
      output += text;
    });
    readText(child.stderr, (text) => {
      errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
    });
    child.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once('exit', () => {
      clearTimeout(limit);
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), OUTPUT_AFTER_END_MS).unref();
    });
    child.once('close', (exitCode) => {
      const late = `not over after ${timeoutMs / 1_000} s`;
      resolve({ exitCode, output, said: isLate ? late : (errors.trim().split('\n').pop() ?? '') });
    });
  });
}

function readText(stream: Readable, take: (text: string) => void): void {
  stream.setEncoding('utf8').on('data', take);
}
