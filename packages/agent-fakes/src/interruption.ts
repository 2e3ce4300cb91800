import type { Interruption } from './agent.ts';
import type { Speech } from './speak/dialect-speech.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Ends the program on SIGTERM and SIGINT as the real CLI does, after every clean-up that is registered has run. */
export function watchInterruption(exitCodeOfSignal: Speech['exitCodeOfSignal']): Interruption {
  const undos = new Set<() => void>();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      for (const undo of undos) undo();
      die(signal, exitCodeOfSignal[signal]);
    });
  }
  return {
    onInterrupt(undo) {
      undos.add(undo);
      return () => undos.delete(undo);
    },
    ignore() {
      for (const signal of [...SIGNALS, 'SIGHUP']) process.removeAllListeners(signal).on(signal, () => undefined);
    },
  };
}

function die(signal: (typeof SIGNALS)[number], exitCode: number | null): void {
  if (exitCode !== null) process.exit(exitCode);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
