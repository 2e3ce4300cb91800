import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcess, findFencedProcesses } from '../project/process-table.ts';

const POLL_MS = 5;
/** Its last sidecar is durable already, or its death is: it only has to go. */
const END_MS = 10_000;

/** Those of some pids that are alive. */
export async function livingOf(pids: readonly number[]): Promise<readonly number[]> {
  const alive = await Promise.all(pids.map(isAlive));
  return pids.filter((_, index) => alive[index]);
}

/** Waits until none of some processes is alive, for a bounded time; who counts what is left looks again. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const deadline = performance.now() + END_MS;
  while ((await livingOf(pids)).length > 0 && performance.now() < deadline) await pause(POLL_MS);
}

/** Ends what a run left although it shouldn't have, so that the next one begins with nothing. */
export async function endLeftovers(runId: string, supervisors: readonly number[]): Promise<void> {
  const fenced = await findFencedProcesses(runId);
  for (const pid of [...fenced.map((row) => row.pid), ...(await livingOf(supervisors))]) endProcess(pid);
}

/** Whether a pid is still that of a process that runs, and hasn't been given to another kind of program. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    const [command, stat] = await Promise.all(
      ['cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    return /supervisor|dispatch/.test(command ?? '') && !/\) [ZX] /.test(stat ?? '');
  } catch {
    return false; // it has ended
  }
}
