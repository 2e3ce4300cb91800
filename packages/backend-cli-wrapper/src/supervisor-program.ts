import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface SupervisorProgram {
  readonly nodePath: string;
  readonly nodeArguments: readonly string[];
  readonly supervisorPath: string;
  readonly timeoutMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * All that a supervisor may see of the environment of its command. Secrets reach it through its standard input alone.
 */
export const SUPERVISOR_ENVIRONMENT = ['PATH', 'HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'LANG'] as const;

/** A supervisor's process, and what it complained of. */
export interface RunningSupervisor {
  readonly child: ChildProcess;
  /** The end of its standard error. */
  complaint(): string;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<void>;
  /** Hands it its order; nothing of an order runs before. */
  give(order: Iterable<string>): void;
  /** Lets go of it: it neither holds this process nor is held by it. */
  release(): void;
}

/**
 * Starts the program in a session of its own; it waits for its order, and ends where its input ends without one.
 * `node:child_process` rather than execa, whose result and iteration both wait for the end of a process that is meant to
 * outlive this one.
 */
export function startSupervisor(program: SupervisorProgram): RunningSupervisor {
  const child = spawn(program.nodePath, [...program.nodeArguments, program.supervisorPath], {
    cwd: '/',
    detached: true,
    env: environmentOf(program.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-MAX_COMPLAINT_CHARACTERS);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      complaint = error.message;
      resolve();
    });
  });
  // A supervisor that dies early closes its input; that it died is told by its output.
  child.stdin?.on('error', () => undefined);
  return {
    child,
    complaint: () => complaint.trim(),
    ended,
    give: (order) => give(child, order),
    release: () => release(child),
  };
}

/** Asks it to end, and sees to it; its workers are stopped politely as long as it listens. */
export async function endSupervisor({ child, ended }: RunningSupervisor, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  await Promise.race([ended, pause(graceMs)]);
  child.kill('SIGKILL');
  await Promise.race([ended, pause(KILLED_MS)]);
}

const MAX_COMPLAINT_CHARACTERS = 2_000;
/** From SIGKILL to the exit that the operating system reports. */
const KILLED_MS = 5_000;

function environmentOf(environment: SupervisorProgram['environment']): Record<string, string> {
  const found = SUPERVISOR_ENVIRONMENT.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(found.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined));
}

function give({ stdin }: ChildProcess, order: Iterable<string>): void {
  if (stdin !== null) Readable.from(order).pipe(stdin);
}

function release(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  child.unref();
}
