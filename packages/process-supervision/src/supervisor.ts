/**
 * The supervisor of one batch. Invariants:
 *
 * S1 It holds the live lock from before its first spawn until its last terminal sidecar is durable, and ends then.
 * S2 It starts a job only while its record says `launching`, its sidecar doesn't exist and its worker isn't stopped.
 * S3 A worker's identity is durable before the worker runs its first instruction.
 * S4 Workers are spawned from the main thread, after every module has been loaded: an upgrade under it changes nothing.
 * S5 Whoever launched it may die at any time, in any way. Its output is a courtesy.
 * S6 Secrets come through its standard input and go into the environment of the worker they are for, or into the gateway,
 *    nowhere else.
 * S7 Its words on the socket are hints, the sidecars are facts; it decides nothing but when a worker has to end.
 * S8 A worker that it can't settle is left to `await`, which finds the lock free and the sidecar not terminal.
 */
import type { Readable, Writable } from 'node:stream';
import type { SupervisionOrder } from '@bailiwick/dispatch-state';
import { type KernelLock, tryLock } from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import { Batch, STOP_TICK_MS } from './batch.ts';
import { isSupervisionError, messageOf, SupervisionError } from './errors.ts';
import { openGatewayFor } from './gateway/open-gateway.ts';
import { type LaunchReport, reportLaunch } from './launch-report.ts';
import { rehearseSearches } from './process/rehearse-searches.ts';
import { readOrder } from './read-order.ts';
import { type HintServer, openHintServer } from './socket/hint-server.ts';
import { SUPERVISOR_VERSION } from './version.ts';
import type { StopMessage } from './wire/socket-messages.ts';

export interface SupervisorIo {
  /** One supervision order, then end of file. */
  readonly orderInput: Readable;
  /** Gets the launch lines; closed after the last. */
  readonly launchReport: Writable;
  /** Takes a function that ends all workers politely, to be called when this process is asked to end. */
  readonly onTerminate?: (stopAll: () => void) => void;
  /** Gets what the agents print, for a person who watches. */
  readonly display?: (dispatchId: DispatchId, chunk: Uint8Array) => void;
  /** What the sidecars name as their supervisor; this package's version where absent. */
  readonly version?: string;
}

/**
 * Runs the workers of one order, from the live lock to the last terminal sidecar. Resolves when nothing is left to do;
 * a reason not to begin at all is the line `refused`, not an exception.
 */
export async function runSupervisor(io: SupervisorIo): Promise<void> {
  const report = reportLaunch(io.launchReport);
  try {
    const order = await readOrder(io.orderInput); // S6
    const lock = holdLiveLock(order); // S1
    try {
      await superviseBatch(order, io, report);
    } finally {
      lock.release();
    }
  } catch (error) {
    const code = isSupervisionError(error) ? error.code : 'SUPERVISOR_FAILED';
    report.tell({ kind: 'refused', code, reason: messageOf(error) }); // S5
  }
  await report.close();
}

async function superviseBatch(order: SupervisionOrder, io: SupervisorIo, report: LaunchReport): Promise<void> {
  const version = io.version ?? SUPERVISOR_VERSION;
  let batch: Batch | undefined;
  const server = await listen(order.socketPath, {
    current: () => batch?.stages() ?? [],
    onStop: (message) => batch?.stop(message),
  });
  const socketPath = server === undefined ? null : order.socketPath;
  const gateway = await openGatewayFor(order.jobs).catch(() => undefined); // each job that asks for it says so
  batch = new Batch(order, {
    supervisorVersion: version,
    socketPath,
    tell: (message) => server?.tell(message), // S7
    ...(gateway && { gateway }),
    ...(io.display && { display: io.display }),
  });
  const ticking = watchStops(batch);
  io.onTerminate?.(() => batch.stopAll('a signal to its supervisor'));
  report.tell({ kind: 'ready', supervisorVersion: version, pid: process.pid, socketPath });
  await batch.launch(report); // S2, S3
  report.tell({ kind: 'launched' });
  void report.close();
  const callOff = rehearseSearches();
  await batch.finish();
  callOff();
  clearInterval(ticking);
  await gateway?.close();
  await server?.close();
}

function holdLiveLock({ liveLockPath, batchId }: SupervisionOrder): KernelLock {
  const lock = tryLock(liveLockPath);
  if (lock !== undefined) return lock;
  throw new SupervisionError('LIVE_LOCK_HELD', `another supervisor runs batch ${batchId}`, {
    path: liveLockPath,
    hint: '`bailiwick team await` waits for it',
  });
}

/** Without a socket everything works as well, a second later. */
async function listen(
  socketPath: string | null,
  options: { readonly current: () => ReturnType<Batch['stages']>; readonly onStop: (message: StopMessage) => void },
): Promise<HintServer | undefined> {
  if (socketPath === null) return undefined;
  return openHintServer({ socketPath, ...options }).catch(() => undefined);
}

function watchStops(batch: Batch): NodeJS.Timeout {
  return setInterval(() => void batch.tick(), STOP_TICK_MS);
}
