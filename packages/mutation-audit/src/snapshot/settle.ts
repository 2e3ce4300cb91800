import { spawn } from 'node:child_process';
import type { BytePath } from '../path-name.ts';

/**
 * Flushes the file systems of the roots, so that a page that a process has held mapped and dirty since before the walk faults, and moves
 * its file's change time, at the next store. Without it such a store leaves no trace in any signature.
 * Returns false where that could not be done, and at once on abort.
 */
export async function settle(roots: readonly BytePath[], signal?: AbortSignal): Promise<boolean> {
  const done = await Promise.all(roots.map((root) => flushFileSystem(root, signal)));
  return done.every(Boolean);
}

function flushFileSystem(root: BytePath, signal: AbortSignal | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // coreutils' sync; it opens the folder and runs nothing of it. An empty environment leaves nothing for a tree to steer.
  const child = spawn('sync', ['-f', '--', Buffer.from(root, 'latin1').toString('utf8')], {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: 'ignore',
    timeout: FLUSH_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  child.once('error', () => resolve(false));
  child.once('close', (code) => resolve(code === 0));
  return promise;
}

/** A disk that takes longer has other troubles; the snapshot then says that it is not settled. */
const FLUSH_TIMEOUT_MS = 120_000;
