import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';

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

/**
 * A root's name comes in as data, never as text of the script. The loop ends with its input: with the thread that holds the other end.
 * It isn't the shell's to wait for, nor ours: a thread that is ended could not do so, and would leave a dead process behind.
 */
const SCRIPT =
  '{ while IFS= read -r root; do sync -f -- "$root" </dev/null >/dev/null 2>&1; echo $?; done; } <&3 >&3 3<&- &';

/**
 * Flushes by way of one small process that stays for as long as the thread lives: each process that a large one starts has all of the
 * large one's memory written anew, page by page.
 */
export class KeptFlusher implements Flusher {
  #loop: Duplex | undefined;
  readonly #waiting: ((done: boolean) => void)[] = [];
  #rest = '';

  async flush(root: string): Promise<boolean> {
    if (root.includes('\n')) return await flushOnce().flush(root);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const loop = this.#start();
    this.#waiting.push(resolve);
    loop.write(`${root}\n`);
    const tooLate = setTimeout(() => loop.destroy(), FLUSH_TIMEOUT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(tooLate);
    }
  }

  #start(): Duplex {
    if (this.#loop !== undefined) return this.#loop;
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { ...SURROUNDINGS, stdio: [...stdio] });
    // Node opens a pipe beyond the first three in both directions.
    const loop = shell.stdio[3] as Duplex;
    this.#loop = loop;
    const onEnd = (): void => this.#ended(loop);
    shell.once('error', onEnd);
    loop.on('error', onEnd).once('end', onEnd).once('close', onEnd);
    loop.setEncoding('latin1').on('data', (text: string) => this.#take(text));
    return loop;
  }

  /** One line for each root: what `sync` ended with. */
  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const code of lines) this.#waiting.shift()?.(code === '0');
  }

  /** What it still owed isn't done. */
  #ended(loop: Duplex): void {
    if (this.#loop !== loop) return;
    loop.destroy();
    this.#loop = undefined;
    this.#rest = '';
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}
