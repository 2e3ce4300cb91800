import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** A process of an attempt, found by the fence in its environment. */
export interface FencedProcess {
  readonly pid: number;
  readonly dispatchId: string;
  readonly command: string;
}

const FENCE = 'BAILIWICK_DISPATCH_ID=';

/** Every process on this machine whose dispatch id starts with `prefix`; looks at the process table itself, not at our records. */
export async function findFencedProcesses(prefix: string): Promise<readonly FencedProcess[]> {
  return allPids().flatMap((pid) => inspect(pid, prefix) ?? []);
}

/** Waits for a condition, looking every 20 ms; throws with `what` when the bound is over. */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>, boundMs = 60_000): Promise<void> {
  const deadline = performance.now() + boundMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${boundMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Without a promise for each file: conditions are waited for by looking at all processes again and again. */
function inspect(pid: number, prefix: string): FencedProcess | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const dispatchId = environment
      .split('\0')
      .find((row) => row.startsWith(FENCE))
      ?.slice(FENCE.length);
    if (dispatchId?.startsWith(prefix) !== true || isDead(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, dispatchId, command: command.replaceAll('\0', ' ').trim() };
  } catch {
    return undefined; // it ended while we looked, or isn't ours to look at
  }
}

function allPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isDead(stat: string): boolean {
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state === 'Z' || state === 'X';
}

/** Supervisors whose run lies below a project; found by what they have open, since their command line doesn't name a run. */
export async function findSupervisors(projectRoot: string): Promise<readonly { readonly pid: number }[]> {
  const pids = pidsAtWorkBelow(projectRoot);
  const found = await Promise.all(pids.map(async (pid) => ((await isSupervisor(pid)) ? [{ pid }] : [])));
  return found.flat();
}

/** Ends whatever works in a folder or holds a file of it open, without asking it; for folders that are about to be removed. */
export async function endProcessesBelow(folder: string): Promise<void> {
  for (const pid of pidsAtWorkBelow(folder)) endProcess(pid);
}

/** SIGKILL to a process that the harness started, if it is still there. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}

function pidsAtWorkBelow(folder: string): readonly number[] {
  return allPids().filter((pid) => pid !== process.pid && isAtWorkBelow(pid, folder));
}

function isAtWorkBelow(pid: number, folder: string): boolean {
  try {
    const links = [`/proc/${pid}/cwd`, ...readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)];
    return links.map(targetOf).some((target) => target === folder || target.startsWith(`${folder}/`));
  } catch {
    return false; // it ended while we looked
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ''; // closed while we looked
  }
}

async function isSupervisor(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return /\b(?:supervisor|pane)\.js/.test(command); // in a pane it goes by another name
}
