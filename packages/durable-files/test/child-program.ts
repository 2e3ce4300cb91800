import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { programPath } from '@bailiwick/tooling/program-path';
import { onTestFinished } from 'vitest';

/** What a fixture program was when it ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

/** A running fixture program. */
export interface ChildProgram {
  /** The next line it prints, or undefined at its end. */
  readonly nextLine: () => Promise<string | undefined>;
  readonly kill: () => void;
  /** Settles when the process has ended and its output is read. */
  readonly ended: Promise<Ended>;
}

/** Starts `test/fixtures/<name>.ts` in a process of its own; `before` is put in front of its command line. */
export function startProgram(name: string, args: readonly string[], before: readonly string[] = []): ChildProgram {
  const [command = '', ...rest] = [...before, process.execPath, programPath(name), ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = collectLines(child.stdout);
  return { nextLine: output.nextLine, kill: () => void child.kill('SIGKILL'), ended: endOf(child, output.lines) };
}

/** Runs a fixture program to its end. */
export function runProgram(name: string, args: readonly string[], before: readonly string[] = []): Promise<Ended> {
  return startProgram(name, args, before).ended;
}

/** Whether a command can be run here: some need rights or programs that a machine doesn't give. */
export function canRun(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Not readline's iterator: it stops reading when it is too far ahead, and what comes after that is lost at the end.
function collectLines(stream: Readable): { lines: readonly string[]; nextLine: () => Promise<string | undefined> } {
  const lines: string[] = [];
  let rest = '';
  let next = 0;
  let wake = () => {};
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  stream.on('end', () => wake());
  const nextLine = async () => {
    while (next >= lines.length && !stream.readableEnded) await new Promise<void>((resolve) => (wake = resolve));
    next += 1;
    return lines[next - 1];
  };
  return { lines, nextLine };
}

function endOf(child: ChildProcessByStdio<null, Readable, null>, lines: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, lines }));
  });
}
