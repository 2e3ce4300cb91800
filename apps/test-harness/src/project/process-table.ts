import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process of an attempt, found by the fence in its environment. */
export interface FencedProcess {
  readonly pid: number;
  readonly dispatchId: string;
  readonly command: string;
}

const FENCE = 'BAILIWICK_DISPATCH_ID=';

/** Every process on this machine whose dispatch id starts with `prefix`; looks at the process table itself, not at our records. */
export async function findFencedProcesses(prefix: string): Promise<readonly FencedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => inspect(pid, prefix)));
  return found.filter((row) => row !== undefined);
}

/** Waits for a condition, looking every 20 ms; throws with `what` when the bound is over. */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>, boundMs = 20_000): Promise<void> {
  const deadline = performance.now() + boundMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${boundMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function inspect(pid: number, prefix: string): Promise<FencedProcess | undefined> {
  try {
    const [environment, command, stat] = await Promise.all(
      ['environ', 'cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    const dispatchId = environment
      ?.split('\0')
      .find((row) => row.startsWith(FENCE))
      ?.slice(FENCE.length);
    if (dispatchId?.startsWith(prefix) !== true || isDead(stat ?? '')) return undefined;
    return { pid, dispatchId, command: (command ?? '').replaceAll('\0', ' ').trim() };
  } catch {
    return undefined; // it ended while we looked, or isn't ours to look at
  }
}

function isDead(stat: string): boolean {
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state === 'Z' || state === 'X';
}

/** Supervisors whose run lies below a project; found by what they have open, since their command line doesn't name a run. */
export async function findSupervisors(projectRoot: string): Promise<readonly { readonly pid: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isSupervisorOf(pid, projectRoot)) ? [{ pid }] : [])));
  return found.flat();
}

async function isSupervisorOf(pid: number, projectRoot: string): Promise<boolean> {
  try {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    if (!command.includes('supervisor.js')) return false;
    const descriptors = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    return targets.some((target) => target.startsWith(`${projectRoot}/`));
  } catch {
    return false; // it ended while we looked
  }
}
