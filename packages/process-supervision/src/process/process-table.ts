import { messageOf, SupervisionError } from '../errors.ts';
import { listLinuxProcesses, readLinuxStat } from './linux-processes.ts';
import { listMacosProcesses, readMacosStat } from './macos-processes.ts';
import type { ProcessRow, ProcessStat } from './process-row.ts';

const IS_MACOS = process.platform === 'darwin';

/** Every process of this machine that can be seen. Throws SupervisionError PROCESSES_UNREADABLE. */
export function listProcesses(fence: string): readonly ProcessRow[] {
  try {
    return IS_MACOS ? listMacosProcesses(fence) : listLinuxProcesses(fence);
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
