import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '@bailiwick/dispatch-state';
import { readStat } from './process-table.ts';

/**
 * Whether the process of an identity runs. `unknown`: it belongs to a host or pid namespace that can't be seen from
 * here.
 */
export type ProcessState = 'alive' | 'dead' | 'unknown';

/** The identity of a process of this machine that runs now, or undefined where no such pid runs. */
export function readProcessIdentity(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.isDead) return undefined;
  return { ...placeOfThisProcess(), pid, startTicks: stat.startTicks };
}

/** States `Z` and `X` are dead, another boot of this host is dead, and a reused pid is another process. */
export function processState(identity: ProcessIdentity): ProcessState {
  const here = placeOfThisProcess();
  if (identity.hostId !== here.hostId) return 'unknown';
  if (identity.bootId !== here.bootId) return 'dead';
  if (identity.pidNamespace !== here.pidNamespace) return 'unknown';
  const stat = readStat(identity.pid);
  return stat === undefined || stat.isDead || stat.startTicks !== identity.startTicks ? 'dead' : 'alive';
}

type Place = Pick<ProcessIdentity, 'hostId' | 'bootId' | 'pidNamespace'>;

let place: Place | undefined;

/** Host, boot and pid namespace; none of them changes while a process runs. */
function placeOfThisProcess(): Place {
  place ??= process.platform === 'darwin' ? macosPlace() : linuxPlace();
  return place;
}

function linuxPlace(): Place {
  return {
    hostId: readTrimmed('/etc/machine-id') ?? hostname(),
    bootId: readTrimmed('/proc/sys/kernel/random/boot_id') ?? '',
    pidNamespace: readLinkOrNothing('/proc/self/ns/pid'),
  };
}

/** The hardware's UUID, since a Mac's host name follows its network. */
function macosPlace(): Place {
  const registry = printed('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
  return {
    hostId: /"IOPlatformUUID" = "([^"]+)"/.exec(registry)?.[1] ?? hostname(),
    bootId: printed('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim(),
    pidNamespace: '',
  };
}

function printed(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

function readTrimmed(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function readLinkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
