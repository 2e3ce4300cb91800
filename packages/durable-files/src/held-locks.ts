import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { DurableFileError } from './errors.ts';

/**
 * The lock files that this process holds, by device and inode. POSIX drops a process's locks of a file as soon as the
 * process closes *any* descriptor of it, so what reads files asks here first. A worker thread has its own list.
 */
const held = new Map<string, unknown>();

/**
 * Notes a lock as held; `keep` stays reachable until `forgetHeldLock`, or the garbage collector would release the
 * lock.
 */
export function noteHeldLock(path: string, keep: unknown): string {
  const identity = identityOf(lstatSync(path, { bigint: true }));
  held.set(identity, keep);
  return identity;
}

/** Forgets a lock by what `noteHeldLock` returned. */
export function forgetHeldLock(identity: string): void {
  held.delete(identity);
}

/**
 * Refuses to open a lock file that this process holds. Does not open the file.
 *
 * @throws DurableFileError LOCK_FILE_IN_USE
 */
export function refuseHeldLockFile(path: string): void {
  if (held.size === 0) return;
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !held.has(identityOf(stats))) return;
  throw new DurableFileError(
    'LOCK_FILE_IN_USE',
    'this is a lock that this process holds; reading it would drop the lock',
    {
      path,
      hint: 'Leave lock files alone',
    },
  );
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}
