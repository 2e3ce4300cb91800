import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** How a command ended. */
export interface CommandEnd {
  /** The document that it printed; undefined where it printed none. */
  readonly document: Readonly<Record<string, unknown>> | undefined;
  readonly exitCode: number | null;
  /** The last lines that it said on stderr. */
  readonly lastLines: readonly string[];
}

/** What a call may do to the command while it runs. */
export interface CommandCall {
  readonly args: readonly string[];
  /** Interrupts it, as Ctrl-C does: what that means is the command's own affair. */
  readonly cancelled: AbortSignal;
  /** Lets go of it, as a closed terminal does: workers go on. */
  readonly detached: AbortSignal;
  /** Told each line of progress. */
  readonly onLine: (line: string) => void;
}

const KEPT_LINES = 20;

/**
 * Runs a command of this program in a process of its own, and gives the document that it prints. A process, since interrupts, kernel locks and
 * exit codes are a process's: a call is exactly what the same words are on a terminal. In a session of its own, so that a Ctrl-C for the
 * server isn't one for the command.
 */
export async function runCommand({ args, cancelled, detached, onLine }: CommandCall): Promise<CommandEnd> {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    onLine(line.replace(/^· /, ''));
  });
  const unlisten = [on(cancelled, () => child.kill('SIGINT')), on(detached, () => child.kill('SIGHUP'))];
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const [printed, exitCode] = await Promise.all([text(child.stdout), ended]);
    return { document: documentIn(printed), exitCode, lastLines: lines };
  } finally {
    for (const stop of unlisten) stop();
  }
}

function on(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

function documentIn(printed: string): CommandEnd['document'] {
  try {
    const document: unknown = JSON.parse(printed);
    return typeof document === 'object' && document !== null ? { ...document } : undefined;
  } catch {
    // What is no document is told by its caller, with what the command said besides.
    return undefined;
  }
}
