import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  endProcessTree,
  FENCE_VARIABLE,
  isSupervisionError,
  readProcessIdentity,
} from '@bailiwick/process-supervision';
import { RunError } from '../errors.ts';

/** A command that is run where the caller is, on its terminal. */
export interface CommandRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Marks all that the command starts; unique on the machine. */
  readonly fence: string;
  /** Where its stdout goes: to the caller's, or to its stderr where stdout is for a document. */
  readonly stdout: 'inherit' | 'stderr';
  /** Aborted: the command is ended with all that it started. */
  readonly signal?: AbortSignal;
  /** From SIGTERM to SIGKILL, for what outlives the command or is interrupted; 5 s by default. */
  readonly graceMs?: number;
}

/** How it ended, and what of it outlived it and was ended too. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly isInterrupted: boolean;
  readonly outlived: number;
  /** False where something could not be ended, or not be looked for: what it still writes is not in the audit. */
  readonly isGone: boolean;
  /** Why it isn't known that all is gone; null where it is. */
  readonly problem: string | null;
}

const GRACE_MS = 5_000;
const STDERR = 2;

/** Runs a command to its end and ends whatever it leaves behind. COMMAND_NOT_STARTED where it can't be started. */
export async function runToEnd(request: CommandRequest): Promise<CommandEnd> {
  const child = await start(request);
  const end = { fence: request.fence, graceMs: request.graceMs ?? GRACE_MS };
  const leader = readProcessIdentity(child.pid ?? 0);
  let interrupted = Promise.resolve();
  const interrupt = (): void => {
    // What could not be ended is found again below, and told there.
    const ended = endProcessTree({ ...end, ...(leader === undefined ? {} : { process: leader }) });
    interrupted = Promise.allSettled([ended]).then(() => undefined);
  };
  request.signal?.addEventListener('abort', interrupt, { once: true });
  if (request.signal?.aborted === true) interrupt();
  const [exitCode, signal] = await exitOf(child);
  request.signal?.removeEventListener('abort', interrupt);
  await interrupted;
  const left = await endWhatIsLeft(end);
  return { exitCode, signal, isInterrupted: request.signal?.aborted === true, ...left };
}

/** What the command did is told even where its end can't be: it has run, and nobody can take that back. */
async function endWhatIsLeft(
  request: Parameters<typeof endProcessTree>[0],
): Promise<Pick<CommandEnd, 'outlived' | 'isGone' | 'problem'>> {
  try {
    const { endedProcesses, isGone } = await endProcessTree(request);
    const problem = isGone ? null : 'a process that the command started could not be ended';
    return { outlived: endedProcesses, isGone, problem };
  } catch (error) {
    if (!isSupervisionError(error)) throw error;
    return { outlived: 0, isGone: false, problem: `what the command left can't be ended: ${error.message}` };
  }
}

async function start({ argv: [program, ...args], cwd, environment, fence, stdout }: CommandRequest) {
  const child = spawn(program, args, {
    cwd,
    env: { ...environment, [FENCE_VARIABLE]: fence },
    stdio: ['inherit', stdout === 'inherit' ? 'inherit' : STDERR, 'inherit'],
  });
  try {
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw new RunError('COMMAND_NOT_STARTED', `${program} could not be started`, {
      names: [program],
      hint: 'is it on PATH and executable?',
      cause,
    });
  }
}

async function exitOf(child: ChildProcess): Promise<readonly [number | null, string | null]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  await once(child, 'exit');
  return [child.exitCode, child.signalCode];
}
