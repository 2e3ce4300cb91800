import { execFileSync } from 'node:child_process';
import { FENCE_VARIABLE } from '../fence.ts';
import type { FenceMark, ListedProcess, ProcessStat } from './process-row.ts';

const PS = '/bin/ps';
const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,command=';
const PS_TIMEOUT_MS = 10_000;
const MAX_LISTING_BYTES = 64 * 1024 * 1024;

/** Every process that `ps` shows; `-E` appends the environment, for the user's own processes only. */
export function listMacosProcesses(): readonly ListedProcess[] {
  return parsePsListing(runPs(['-A', '-E', '-ww', '-o', COLUMNS]));
}

/** One process, or undefined where there is none of that pid. */
export function readMacosStat(pid: number): ProcessStat | undefined {
  return parsePsListing(runPs(['-ww', '-o', COLUMNS, '-p', String(pid)]))[0];
}

/** The lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=` in the C locale (macOS 14). */
export function parsePsListing(listing: string): readonly ListedProcess[] {
  return listing.split('\n').flatMap((line) => {
    const [, pid, parentPid, groupId, state, startTicks, command] = ROW.exec(line) ?? [];
    if (state === undefined || startTicks === undefined || command === undefined) return [];
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        groupId: Number(groupId),
        sessionId: null,
        startTicks: startTicks.replace(/\s+/g, ' '),
        isDead: state.startsWith('Z'),
        markFor: (fence) => fenceInCommand(command, fence),
      },
    ];
  });
}

const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4})\s+(.*)$/;

function fenceInCommand(command: string, fence: string): FenceMark {
  const prefix = ` ${FENCE_VARIABLE}=`;
  const start = command.lastIndexOf(prefix);
  if (start < 0) return 'none';
  const value = command.slice(start + prefix.length);
  return value === fence || value.startsWith(`${fence} `) ? 'ours' : 'foreign';
}

function runPs(args: readonly string[]): string {
  try {
    return execFileSync(PS, args, {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
      maxBuffer: MAX_LISTING_BYTES,
      timeout: PS_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // `ps -p` exits 1 where the pid names nothing.
    if (error instanceof Error && 'status' in error && error.status === 1) return '';
    throw error;
  }
}
