import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { mapWriteError, systemCodeOf } from './system-errors.ts';

const flush = promisify(fsync);

// What file systems answer that can't flush a folder; there is nothing better to do on those.
const cannotFlush: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** By folder: a flush that hasn't begun, and the one that is under way. */
const waiting = new Map<string, Promise<void>>();
const underWay = new Map<string, Promise<void>>();

/**
 * Makes the names in a folder durable: what was created, renamed or removed in it survives a power cut. Whoever asks before a flush
 * begins shares it, since it holds what each of them did before asking; so many writers of one folder wait for two flushes, not for many.
 */
export async function flushFolder(folder: string): Promise<void> {
  const shared = waiting.get(folder) ?? flushAfter(folder, underWay.get(folder));
  waiting.set(folder, shared);
  return shared;
}

async function flushAfter(folder: string, earlier: Promise<void> | undefined): Promise<void> {
  // How that one ended is told to those who asked for it.
  await earlier?.catch(() => undefined);
  waiting.delete(folder);
  const flushing = flushNow(folder);
  underWay.set(folder, flushing);
  try {
    await flushing;
  } finally {
    if (underWay.get(folder) === flushing) underWay.delete(folder);
  }
}

async function flushNow(folder: string): Promise<void> {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await flush(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!cannotFlush.has(systemCodeOf(error))) throw mapWriteError(error, folder, 'flushing the folder');
  }
}
