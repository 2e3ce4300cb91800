import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentExit } from '@bailiwick/agent-providers';
import { readStat } from '../process/process-table.ts';

/** The kernel ends a namespace's processes at once; longer than this only one in uninterruptible sleep takes. */
const GONE_MS = 5_000;
const POLL_MS = 2;

/**
 * What bubblewrap tells of the process namespace that it made: its first process, and whether the agent ran. That
 * process is dead only when the kernel has ended and reaped everything else in the namespace, which is the proof that
 * the whole tree is gone.
 */
export class NamespaceWatch {
  #rest = '';
  #first: { readonly pid: number; readonly startTicks: string } | undefined;
  #hasNamespace = false;
  #hasRun = false;
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(status: Readable) {
    status.setEncoding('utf8');
    status.on('data', (chunk: string) => this.#read(chunk));
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#isOver = true;
        resolve();
      };
      status.once('close', end);
      status.once('error', end);
    });
  }

  /** False where bubblewrap has ended without having started the agent. */
  async hasRun(): Promise<boolean> {
    await Promise.race([this.#ended, pause(GONE_MS, undefined, { ref: false })]);
    return this.#hasRun;
  }

  /**
   * Resolves with true when everything in the namespace is gone, proven; false where that isn't known. An agent may end
   * before bubblewrap's words about its start were read: they are waited for.
   */
  async isGone(): Promise<boolean> {
    const deadlineMs = performance.now() + GONE_MS;
    while (performance.now() < deadlineMs) {
      if (this.#hasNamespace ? !this.#isFirstAlive() : this.#isOver) return this.#hasNamespace;
      await pause(POLL_MS);
    }
    return false;
  }

  #isFirstAlive(): boolean {
    if (this.#first === undefined) return false;
    const stat = readStat(this.#first.pid);
    return stat !== undefined && !stat.isDead && stat.startTicks === this.#first.startTicks;
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#note(line);
  }

  /** One JSON object a line: `child-pid` with the namespaces at the start, `exit-code` only if the command was run. */
  #note(line: string): void {
    const pid = Number(/"child-pid": *(\d+)/.exec(line)?.[1]);
    if (pid > 0) {
      const stat = readStat(pid);
      this.#hasNamespace = line.includes('"pid-namespace"');
      this.#first = stat === undefined ? undefined : { pid, startTicks: stat.startTicks };
    }
    if (line.includes('"exit-code"')) this.#hasRun = true;
  }
}

/** Signals that end a program which didn't choose to: nobody exits with their code of his own accord. */
const CRASHES: Readonly<Record<number, NodeJS.Signals>> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  31: 'SIGSYS',
};

/**
 * The agent's exit by bubblewrap's own: it exits with 128 and the number of the signal that the agent died by. Of the
 * others, such as 143, it can't be told whether the agent chose that code itself, as many do: they stay exit codes.
 */
export function exitInside(exit: AgentExit): AgentExit {
  const signal = exit.exitCode === null ? undefined : CRASHES[exit.exitCode - 128];
  return signal === undefined ? exit : { exitCode: null, signal };
}
