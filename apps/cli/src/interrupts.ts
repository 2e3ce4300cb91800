import type { Output } from './output.ts';

/** One Ctrl-C or SIGTERM asks to end, a second one skips the grace; SIGHUP only lets go. */
export interface Interrupts {
  /** Aborted by the first SIGINT or SIGTERM, and by SIGHUP. */
  readonly signal: AbortSignal;
  /** Aborted by the second. */
  readonly hurry: AbortSignal;
  /** True where SIGHUP came: workers go on. */
  readonly isDetached: () => boolean;
  close(): void;
}

/** Listens until it is closed; `onFirst` is called once, when the first signal comes. */
export function listenForInterrupts(onFirst: () => void): Interrupts {
  const first = new AbortController();
  const second = new AbortController();
  let isDetached = false;
  const interrupt = (): void => {
    if (first.signal.aborted) second.abort();
    else {
      onFirst();
      first.abort();
    }
  };
  const detach = (): void => {
    isDetached = true;
    first.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('SIGHUP', detach);
  return {
    signal: first.signal,
    hurry: second.signal,
    isDetached: () => isDetached,
    close() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      process.off('SIGHUP', detach);
    },
  };
}

/** Listens while `work` runs. A run of workers begins with it, so that no moment of the command is without an answer to Ctrl-C. */
export async function whileListening<T>(output: Output, work: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const interrupts = listenForInterrupts(() => output.progress('interrupted: ending the workers and settling them'));
  try {
    return await work(interrupts);
  } finally {
    interrupts.close();
  }
}
