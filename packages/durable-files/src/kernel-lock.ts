/**
 * Kernel locks: an exclusive transaction on an empty SQLite database. Invariants:
 *
 * K1 At most one holder, in any process or thread. The kernel frees the lock when its holder's process ends,
 *    however it ends.
 * K2 Of contenders for a free lock at least one wins: one gives up only after it saw another one's exclusive lock,
 *    and the last one left sees none.
 * K3 A lock file is opened by SQLite only, here only, and never removed: closing another descriptor of it in the holder
 *    would drop the lock, and a new file at the same path would be another lock.
 * K4 A lock is an empty file and nothing beside it: the journal, which even an empty transaction opens, stays in
 *    memory.
 */
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DurableFileError } from './errors.ts';
import { forgetHeldLock, noteHeldLock } from './held-locks.ts';
import { isBusy, mapLockError } from './lock-errors.ts';
import { notRegular } from './open-regular.ts';

/** A lock that this process holds. */
export interface KernelLock {
  /** The lock file, absolute. */
  readonly path: string;
  /** Gives the lock back; more than once does nothing. Forgotten, the process holds it to its end. */
  release(): void;
}

// The last statement writes nothing, since nothing is ever committed. Without it, a file that could only be opened for
// reading would seem to be locked: SQLite makes an exclusive transaction there into one that merely reads.
const TAKE = 'PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version=1';
const LOOK = 'SELECT 1 FROM sqlite_schema';

// Contenders and `isLocked` are in each other's way for some microseconds; for this long only if one of them is
// suspended just then, and then "held" is the answer that keeps K1.
const MAX_COLLISION_MS = 2_000;
const MAX_COLLISION_PAUSE_MS = 1;

/**
 * Takes a lock if it is free. The file is made where it is missing, its folder must exist.
 *
 * @returns undefined when somebody holds it: another process, or this one
 * @throws DurableFileError FOLDER_MISSING, NO_PERMISSION, READ_ONLY, NOT_A_REGULAR_FILE, LOCK_FILE_DAMAGED,
 * LOCKS_NOT_SUPPORTED
 */
export function tryLock(path: string): KernelLock | undefined {
  const absolute = resolve(path);
  checkLockFile(absolute);
  const database = openDatabase(absolute, false);
  try {
    if (takeExclusively(database)) return holdLock(absolute, database);
  } catch (error) {
    database.close();
    throw mapLockError(error, absolute);
  }
  database.close();
  return undefined;
}

/**
 * Whether somebody, this process included, holds the lock at this moment. Looking keeps nobody from taking it.
 *
 * @returns false when the lock file is missing
 * @throws DurableFileError as `tryLock`
 */
export function isLocked(path: string): boolean {
  const absolute = resolve(path);
  if (!checkLockFile(absolute)) return false;
  const database = openDatabase(absolute, true);
  try {
    return !succeeds(database, LOOK);
  } catch (error) {
    throw mapLockError(error, absolute);
  } finally {
    database.close();
  }
}

function takeExclusively(database: DatabaseSync): boolean {
  for (let startedMs: number | undefined; ; ) {
    if (succeeds(database, TAKE)) return true;
    // Refused though nobody has it: another contender or looker was half-way (K2).
    if (!succeeds(database, LOOK)) return false;
    startedMs ??= performance.now();
    if (performance.now() - startedMs > MAX_COLLISION_MS) return false;
    pauseBriefly();
  }
}

function succeeds(database: DatabaseSync, sql: string): boolean {
  try {
    database.exec(sql);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function holdLock(path: string, database: DatabaseSync): KernelLock {
  const identity = noteHeldLock(path, database);
  let isHeld = true;
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    forgetHeldLock(identity);
    database.close();
  };
  return { path, release };
}

function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly, timeout: 0 });
  } catch (error) {
    throw mapLockError(error, path);
  }
}

/** Looks at the file without opening it (K3), and refuses what is no lock file; false when it is missing. */
function checkLockFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw notRegular(path);
  if (stats.size === 0) return true;
  throw new DurableFileError('LOCK_FILE_DAMAGED', 'a lock file is empty, and this one is not', {
    path,
    hint: 'Look at what wrote it; move it away when nothing of the run lives',
  });
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

function pauseBriefly(): void {
  Atomics.wait(neverWoken, 0, 0, Math.random() * MAX_COLLISION_PAUSE_MS);
}
