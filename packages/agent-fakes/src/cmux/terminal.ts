import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A process on a pseudo-terminal of its own. */
export interface Terminal {
  write(text: string): void;
  /** Hangs up, as closing a tab does: the foreground group gets SIGHUP and the terminal is gone. */
  hangUp(): void;
}

export interface TerminalRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onData: (text: string) => void;
  readonly onExit: () => void;
}

export type OpenTerminal = (request: TerminalRequest) => Terminal;

const SIZE = { cols: 120, rows: 40 };

/**
 * How terminals are opened on this machine: by a prebuilt addon, else by `script(1)`, which every system has. The addon is
 * an optional dependency without an install script, so that a machine it isn't built for loses nothing but the size.
 */
export async function terminalOpener(): Promise<OpenTerminal> {
  try {
    const { spawn: spawnPty } = await import('@lydell/node-pty');
    return (request) => openByAddon(spawnPty, request);
  } catch {
    return openByScript;
  }
}

/**
 * Opens a shell's terminal when something is typed into it first: most surfaces are never typed into, and of a shell that waits nobody
 * can read anything. What is typed is held until the shell shows its prompt; Ctrl-C would end one that isn't that far.
 */
export function onFirstInput(open: OpenTerminal): OpenTerminal {
  return (request) => {
    const shell = { isOver: false, isReady: false, held: '', opened: undefined as Terminal | undefined };
    const onData = (text: string): void => {
      request.onData(text);
      if (shell.isReady) return;
      shell.isReady = true;
      shell.opened?.write(shell.held);
    };
    return {
      write: (text) => {
        if (shell.isReady) shell.opened?.write(text);
        else shell.held += text;
        if (!shell.isOver) shell.opened ??= open({ ...request, onData });
      },
      hangUp: () => {
        shell.isOver = true;
        shell.opened?.hangUp();
      },
    };
  };
}

/** A shell of the user's kind, without a profile that would make trials depend on a person's own. */
export function shellArgv(): readonly [string, ...string[]] {
  return existsSync('/bin/bash') ? ['/bin/bash', '--noprofile', '--norc', '-i'] : ['/bin/sh', '-i'];
}

type SpawnPty = typeof import('@lydell/node-pty').spawn;

function openByAddon(spawnPty: SpawnPty, request: TerminalRequest): Terminal {
  const [program, ...args] = request.argv;
  const pty = spawnPty(program, args, { name: 'xterm-256color', ...SIZE, cwd: request.cwd, env: { ...request.env } });
  pty.onData(request.onData);
  pty.onExit(() => request.onExit());
  return {
    write: (text) => pty.write(text),
    hangUp: () => {
      // The addon's own kill signals the leader and closes the master; both may have gone already.
      try {
        pty.kill('SIGHUP');
        (pty as unknown as { destroy(): void }).destroy();
      } catch {
        // it is gone, which is what was wanted
      }
    },
  };
}

export function openByScript(request: TerminalRequest): Terminal {
  const child = spawn('script', scriptArguments(request.argv), {
    cwd: request.cwd,
    env: { ...request.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => request.onData(text));
  child.stdin.on('error', () => undefined);
  child.once('exit', () => request.onExit());
  child.once('error', () => request.onExit());
  return { write: (text) => void child.stdin.write(text), hangUp: () => endScript(child) };
}

/** util-linux takes a command line, the BSDs take an argv; both copy standard input to the terminal. */
function scriptArguments(argv: readonly string[]): readonly string[] {
  if (process.platform === 'darwin') return ['-q', '/dev/null', ...argv];
  return ['-qfec', argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '), '/dev/null'];
}

function endScript(child: ChildProcess): void {
  child.stdin?.destroy();
  child.kill('SIGHUP');
}
