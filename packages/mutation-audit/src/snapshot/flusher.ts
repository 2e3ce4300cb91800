import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Flushes file systems; false where that could not be done. */
export interface Flusher {
  flush(root: string): Promise<boolean>;
}

/** An empty environment leaves nothing for a tree to steer. */
const SURROUNDINGS = { cwd: '/', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } } as const;
/** A disk that takes longer has other troubles; the snapshot then says that it is not settled. */
const FLUSH_TIMEOUT_MS = 120_000;

/** One process for each flush; what runs is ended on abort. */
export function flushOnce(signal?: AbortSignal): Flusher {
  return {
    flush: async (root) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      // coreutils' sync; it opens the folder and runs nothing of it.
      const child = spawn('sync', ['-f', '--', root], {
        ...SURROUNDINGS,
        stdio: 'ignore',
        timeout: FLUSH_TIMEOUT_MS,
        ...(signal === undefined ? {} : { signal }),
      });
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
      return promise;
    },
  };
}

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/** A root's name comes in as data, never as text of the script. The loop ends with its input: with the thread that holds the other end. */
const LOOP = 'while IFS= read -r root; do sync -f -- "$root" </dev/null >/dev/null 2>&1; echo $?; done';

/**
 * Flushes by way of one small process that stays for as long as the thread lives: each process that a large one starts has all of the
 * large one's memory written anew, page by page.
 */
export class KeptFlusher implements Flusher {
  #shell: Shell | undefined;
  readonly #waiting: ((done: boolean) => void)[] = [];
  #rest = '';

  async flush(root: string): Promise<boolean> {
    if (root.includes('\n')) return await flushOnce().flush(root);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const shell = this.#start();
    this.#waiting.push(resolve);
    shell.stdin.write(`${root}\n`);
    const tooLate = setTimeout(() => shell.kill('SIGKILL'), FLUSH_TIMEOUT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(tooLate);
    }
  }

  #start(): Shell {
    if (this.#shell !== undefined) return this.#shell;
    const shell = spawn('/bin/sh', ['-c', LOOP], { ...SURROUNDINGS, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#shell = shell;
    shell.stdout.setEncoding('latin1').on('data', (text: string) => this.#take(text));
    const onEnd = (): void => this.#ended();
    shell.once('error', onEnd).once('close', onEnd);
    shell.stdin.on('error', onEnd);
    return shell;
  }

  /** One line for each root: what `sync` ended with. */
  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const code of lines) this.#waiting.shift()?.(code === '0');
  }

  /** What it still owed isn't done. */
  #ended(): void {
    this.#shell = undefined;
    this.#rest = '';
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}
