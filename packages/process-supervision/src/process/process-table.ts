import { setImmediate } from 'node:timers/promises';
import { messageOf, SupervisionError } from '../errors.ts';
import { listLinuxProcesses, readLinuxStat } from './linux-processes.ts';
import { listMacosProcesses, readMacosStat } from './macos-processes.ts';
import type { ListedProcess, ProcessRow, ProcessStat } from './process-row.ts';

const IS_MACOS = process.platform === 'darwin';

/** A listing that hasn't begun, and since when processes matter to those who wait for it. */
let nextListing: { sinceTicks: number; readonly listed: Promise<readonly ListedProcess[]> } | undefined;

/**
 * Every process of this machine that can be seen, marked for a fence. Reading them all takes milliseconds: whoever asks before a listing
 * begins shares it, since it shows what is there after each of them asked. `leader` is the first process that ever carried the fence,
 * where it is known: what started before it is foreign. Throws SupervisionError PROCESSES_UNREADABLE.
 */
export async function lookForProcesses(
  fence: string,
  leader?: Pick<ProcessStat, 'startTicks'>,
): Promise<readonly ProcessRow[]> {
  const sinceTicks = leader === undefined || IS_MACOS ? 0 : Number(leader.startTicks);
  nextListing ??= { sinceTicks, listed: setImmediate().then(listShared) };
  nextListing.sinceTicks = Math.min(nextListing.sinceTicks, sinceTicks);
  const listed = await nextListing.listed;
  return listed.map(({ markFor, ...stat }) => ({ ...stat, fence: markFor(fence) }));
}

function listShared(): readonly ListedProcess[] {
  const sinceTicks = nextListing?.sinceTicks ?? 0;
  nextListing = undefined;
  return listProcesses(sinceTicks);
}

function listProcesses(sinceTicks: number): readonly ListedProcess[] {
  try {
    const listed = IS_MACOS ? listMacosProcesses() : listLinuxProcesses(sinceTicks);
    // A table without ourselves is none: where nothing is shown, nothing was looked for.
    if (!listed.some(({ pid }) => pid === process.pid)) throw new Error('they lack this process itself');
    return listed;
  } catch (error) {
    throw new SupervisionError(
      'PROCESSES_UNREADABLE',
      `the processes of this machine can't be listed: ${messageOf(error)}`,
      {
        hint: IS_MACOS ? '/bin/ps must be executable' : '/proc must be mounted',
        cause: error,
      },
    );
  }
}

/** One process, or undefined where there is none of that pid. */
export function readStat(pid: number): ProcessStat | undefined {
  return IS_MACOS ? readMacosStat(pid) : readLinuxStat(pid);
}
