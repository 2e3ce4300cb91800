import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { programPath } from '@bailiwick/tooling/program-path';
import { type FakeAgentRequest, fakeAgentCommand } from '../src/index.ts';

export type JsonEvent = Readonly<Record<string, unknown>>;

export interface RunOptions {
  readonly cwd: string;
  readonly prompt?: string;
  /** What a provider appends: the flags of the real CLI. */
  readonly cliFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface FinishedRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: Buffer;
  readonly events: readonly JsonEvent[];
  readonly errorText: string;
}

export interface StartedRun {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when this many bytes or more are out. */
  readonly printed: (bytes: number) => Promise<void>;
  readonly finished: Promise<FinishedRun>;
}

/** Starts the program, gives it the prompt on stdin, and collects what it prints. */
export function startFakeAgent(request: FakeAgentRequest, options: RunOptions): StartedRun {
  const [, , ...flags] = fakeAgentCommand(request);
  return startProgram([...flags, ...(options.cliFlags ?? [])], options);
}

/** The same by its words. */
export function startProgram(argv: readonly string[], options: RunOptions): StartedRun {
  const child = spawn(process.execPath, [programPath('fake-agent'), ...argv], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.prompt ?? '');
  const closed = once(child, 'close');
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  return {
    child,
    printed: async (bytes) => {
      while (chunks.reduce((sum, chunk) => sum + chunk.length, 0) < bytes) await once(child.stdout, 'data');
    },
    // 'exit' and not 'close': a grandchild may hold the pipes for ever.
    finished: once(child, 'exit').then(async ([exitCode, signal]: unknown[]) => {
      await Promise.race([closed, settled(chunks)]);
      const output = Buffer.concat(chunks);
      return {
        exitCode: typeof exitCode === 'number' ? exitCode : null,
        // The second argument of 'exit' is a signal's name or null.
        signal: signal as NodeJS.Signals | null,
        output,
        events: parseEvents(output.toString('utf8')),
        errorText: Buffer.concat(errors).toString('utf8'),
      };
    }),
  };
}

export function runFakeAgent(request: FakeAgentRequest, options: RunOptions): Promise<FinishedRun> {
  return startFakeAgent(request, options).finished;
}

/** The lines that are JSON objects; what else is among them is for a test on noise to look at. */
export function parseEvents(text: string): readonly JsonEvent[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      // Checked to be an object right here.
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as JsonEvent] : [];
    } catch {
      return [];
    }
  });
}

/** For a pipe that a grandchild keeps open: resolves once nothing more comes, the writer being gone. */
async function settled(chunks: readonly Buffer[]): Promise<void> {
  for (let seen = -1; seen !== chunks.length; ) {
    seen = chunks.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
