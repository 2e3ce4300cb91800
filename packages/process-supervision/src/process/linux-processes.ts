import { readdirSync, readFileSync } from 'node:fs';
import { FENCE_VARIABLE } from '../fence.ts';
import type { ListedProcess, ProcessStat } from './process-row.ts';

/** A tree that forks faster than `/proc` can be read is listed this many times at most; the next search goes on. */
const MAX_LISTINGS = 50;

/**
 * Every process that `/proc` shows, listed until a listing has no new one: a process that starts another and ends
 * between listing and reading would else hide both. One that ends while it is read is left out.
 *
 * `sinceTicks`: nobody looks for a process that started before that. Its environment isn't read, since environments are
 * most of what a listing costs, and other users' can't be read anyway.
 */
export function listLinuxProcesses(sinceTicks = 0): readonly ListedProcess[] {
  const rows = new Map<string, ReadRow | undefined>();
  for (let listing = 0; listing < MAX_LISTINGS; listing += 1) {
    const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !rows.has(name));
    if (fresh.length === 0) break;
    for (const name of fresh) rows.set(name, readRow(Number(name), sinceTicks));
  }
  return [...rows.values()].filter((row) => row !== undefined).map(listedProcess);
}

/** `fence`: the one that its environment names; null for none, undefined where the environment was empty. */
type ReadRow = ProcessStat & { readonly fence: string | null | undefined; readonly isTooOld: boolean };

function readRow(pid: number, sinceTicks: number): ReadRow | undefined {
  const stat = readLinuxStat(pid);
  if (stat === undefined) return undefined;
  const isTooOld = Number(stat.startTicks) < sinceTicks;
  return { ...stat, isTooOld, fence: stat.isDead || isTooOld ? null : readFence(pid) };
}

/**
 * In the middle of an `execve` a process has no environment yet. Kernel threads, of process group 0, never have one.
 */
function listedProcess({ fence, isTooOld, ...stat }: ReadRow): ListedProcess {
  if (isTooOld) return { ...stat, markFor: () => 'foreign' };
  const found = (fence === undefined && stat.groupId !== 0 ? readFence(stat.pid) : fence) ?? null;
  return { ...stat, markFor: (wanted) => (found === null ? 'none' : found === wanted ? 'ours' : 'foreign') };
}

/** One process, or undefined where there is none of that pid. */
export function readLinuxStat(pid: number): ProcessStat | undefined {
  const stat = readProcFile(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseLinuxStat(stat);
}

/** `/proc/<pid>/stat` as proc(5) describes it. The name in parentheses may hold spaces and parentheses itself. */
export function parseLinuxStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')');
  const [state, parentPid, groupId, sessionId, ...rest] = text.slice(nameEnd + 2).split(' ');
  const startTicks = rest[STARTTIME_AFTER_SESSION];
  if (nameEnd < 0 || state === undefined || startTicks === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
    startTicks,
    isDead: state === 'Z' || state === 'X',
  };
}

// Field 22 of the line; the session is field 6.
const STARTTIME_AFTER_SESSION = 15;

function readFence(pid: number): string | null | undefined {
  const environment = readProcFile(`/proc/${pid}/environ`);
  // Another user's process, or one that has just ended.
  if (environment === undefined) return null;
  return environment === '' ? undefined : fenceInEnvironment(environment);
}

/** The fence among NUL-separated `NAME=value` entries, or null. */
export function fenceInEnvironment(environment: string): string | null {
  const prefix = `${FENCE_VARIABLE}=`;
  if (!environment.includes(prefix)) return null;
  const entries = environment.split('\0');
  return entries.find((entry) => entry.startsWith(prefix))?.slice(prefix.length) ?? null;
}

/**
 * What a file of `/proc` holds, or undefined where it can't be read: ENOENT and ESRCH say that its process has ended. As text: that
 * way Node reads a file of unknown size in one go, without 64 KB for each.
 */
function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
