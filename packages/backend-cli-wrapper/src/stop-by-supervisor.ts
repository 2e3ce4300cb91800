import { setTimeout as pause } from 'node:timers/promises';
import type { AttemptAddress, StopOptions } from '@bailiwick/backend-contract';
import { isLocked } from '@bailiwick/durable-files';
import { connectSupervisor, FORCED_END_MS, STOP_TICK_MS } from '@bailiwick/process-supervision';
import { isTerminal, sidecarOf } from './probe.ts';

const POLL_MS = 50;
/** For two durable writes on a slow disk and a scan of a busy machine. */
const MARGIN_MS = 5_000;

/**
 * Asks the supervisor of a batch to end these attempts, and waits until their sidecars are terminal, it has died, or
 * its time is up. Without a socket it finds the stop intents, which were written before, at its next tick.
 */
export async function askSupervisor(batch: readonly AttemptAddress[], options: StopOptions): Promise<void> {
  const isHeard = await sendStop(batch, options);
  // Nobody may have written an intent either: a supervisor that can't be told is waited for as long as it takes to find
  // one.
  await untilTerminal(batch, options.graceMs + STOP_TICK_MS + (isHeard ? FORCED_END_MS + MARGIN_MS : MARGIN_MS));
}

/** Waits until every sidecar is terminal, nobody holds the live lock any more, or the time is up. */
export async function untilTerminal(batch: readonly AttemptAddress[], timeoutMs: number): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (performance.now() < deadlineMs) {
    const sidecars = await Promise.all(batch.map(sidecarOf));
    if (sidecars.every(isTerminal)) return;
    if (!batch.some(({ liveLockPath }) => isLocked(liveLockPath))) return;
    await pause(POLL_MS);
  }
}

async function sendStop(batch: readonly AttemptAddress[], { by, graceMs }: StopOptions): Promise<boolean> {
  const socketPath = batch.map((attempt) => attempt.socketPath).find((path) => path !== null);
  const connection = socketPath === undefined ? undefined : await connectSupervisor(socketPath).catch(() => undefined);
  await connection?.stop({ stop: batch.map(({ dispatchId }) => dispatchId), by, graceMs });
  connection?.close();
  return connection !== undefined;
}
