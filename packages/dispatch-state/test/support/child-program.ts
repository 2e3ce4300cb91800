import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { programPath } from '@bailiwick/tooling/program-path';
import { onTestFinished } from 'vitest';

/** How a program of test/fixtures/programs ended, and what it printed. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

/** A program that prints `ready` when it is, and waits for the end of its input before it does its work. */
export interface WaitingProgram {
  readonly isReady: Promise<void>;
  readonly go: () => void;
  /** Settles when the process has ended and its output is read; `ready` isn't among the lines. */
  readonly ended: Promise<Ended>;
}

/** Starts `test/fixtures/programs/<name>.ts` in a process of its own. */
export function startProgram(name: string, args: readonly string[]): WaitingProgram {
  const child = spawn(process.execPath, [programPath(name), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => void (line === 'ready' ? ready() : lines.push(line)));
  return { isReady, go: () => child.stdin.end(), ended: endOf(child, lines) };
}

/** Starts so many of them, lets them all go at once, and waits for their ends. */
export async function raceOf(name: string, argsOfEach: readonly (readonly string[])[]): Promise<readonly Ended[]> {
  const programs = argsOfEach.map((args) => startProgram(name, args));
  await Promise.all(programs.map(({ isReady, ended }) => Promise.race([isReady, ended])));
  for (const { go } of programs) go();
  return Promise.all(programs.map(({ ended }) => ended));
}

function endOf(child: ChildProcessByStdio<Writable, Readable, null>, lines: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, lines }));
  });
}
