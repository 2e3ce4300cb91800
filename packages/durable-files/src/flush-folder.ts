import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { mapWriteError, systemCodeOf } from './system-errors.ts';

const flush = promisify(fsync);

// What file systems answer that can't flush a folder; there is nothing better to do on those.
const cannotFlush: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes the names in a folder durable: what was created, renamed or removed in it survives a power cut. */
export async function flushFolder(folder: string): Promise<void> {
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
