import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Interruption } from './agent.ts';

export interface TestOutcome {
  readonly command: string;
  /** 124 after a time-out, 128 and more after a signal, as a shell says it. */
  readonly exitCode: number;
  /** Stdout and stderr as they came, at most `MAX_OUTPUT_CHARACTERS` of it. */
  readonly output: string;
  readonly durationMs: number;
}

export interface TestRun {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly timeoutMs: number;
  readonly interruption: Interruption;
}

export const TEST_TIMEOUT_MS = 120_000;
const TIMED_OUT = 124;
const MAX_OUTPUT_CHARACTERS = 400_000;
/** A CPU limit below the clock's: a test run that outlives its agent in an endless loop must not spin for ever. */
const CPU_SECONDS = 100;

/** The project's test command: `scripts.test` of its package.json; undefined where there is none. */
export async function readTestCommand(cwd: string): Promise<string | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(cwd, 'package.json'), 'utf8'));
    // A foreign file: only the one field is looked at, and only a string counts.
    const command = (manifest as { scripts?: { test?: unknown } } | null)?.scripts?.test;
    return typeof command === 'string' && command.trim() !== '' ? command : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a test command in a process group of its own, which is gone when this resolves. */
export async function runTest(run: TestRun): Promise<TestOutcome> {
  const startedAtMs = performance.now();
  const child = spawn('sh', ['-c', `ulimit -t ${CPU_SECONDS}; ${run.command}`], {
    cwd: run.cwd,
    env: testEnvironment(run),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killGroup = () => killProcessGroup(child.pid);
  const release = run.interruption.onInterrupt(killGroup);
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    killGroup();
  }, run.timeoutMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT_CHARACTERS) output += text;
    });
  }
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', killGroup);
    child.on('close', (code) => resolve(hasTimedOut ? TIMED_OUT : (code ?? 128 + 9)));
  });
  clearTimeout(timer);
  release();
  return { command: run.command, exitCode, output, durationMs: performance.now() - startedAtMs };
}

function testEnvironment({ cwd, env: inherited }: TestRun): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _color, NODE_TEST_CONTEXT: _context, ...env } = inherited;
  const folders = [path.join(cwd, 'node_modules', '.bin'), env['PATH'] ?? '', path.dirname(process.execPath)];
  return { ...env, PATH: folders.filter((folder) => folder !== '').join(path.delimiter), NO_COLOR: '1' };
}

function killProcessGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
