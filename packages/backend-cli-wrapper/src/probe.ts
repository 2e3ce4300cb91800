import { type AttemptAddress, Liveness } from '@bailiwick/backend-contract';
import { isTerminalStage, readSidecar, type StatusSidecar } from '@bailiwick/dispatch-state';
import { isLocked } from '@bailiwick/durable-files';
import { processState } from '@bailiwick/process-supervision';

/**
 * `ended`: the sidecar is terminal. `alive`: a supervisor holds the live lock. `unknown`: it doesn't, and the worker's
 * process belongs to a machine or namespace that can't be seen from here. `gone`: nobody will settle the attempt any
 * more; processes of it may still run. A launch that hasn't taken the live lock yet looks `gone`: whoever asks holds or
 * has looked at the launch lock.
 */
export async function probeAttempt(attempt: AttemptAddress): Promise<Liveness> {
  if (isTerminal(await sidecarOf(attempt))) return Liveness.ended;
  if (isLocked(attempt.liveLockPath)) return Liveness.alive;
  // Read again: the supervisor may have written the terminal sidecar and left between the two looks.
  const sidecar = await sidecarOf(attempt);
  if (isTerminal(sidecar)) return Liveness.ended;
  const process = sidecar?.process ?? attempt.process;
  return process !== null && processState(process) === 'unknown' ? Liveness.unknown : Liveness.gone;
}

/** The sidecar, or undefined where there is none or none that can be read: then it says nothing of an end. */
export async function sidecarOf({ sidecarPath }: AttemptAddress): Promise<StatusSidecar | undefined> {
  return readSidecar(sidecarPath).catch(() => undefined);
}

/** True once the attempt's supervisor, or a stop in its stead, has said that it is over. */
export function isTerminal(sidecar: StatusSidecar | undefined): boolean {
  return sidecar !== undefined && isTerminalStage(sidecar.stage);
}
