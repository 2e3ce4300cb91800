import type { BytePath } from '../path-name.ts';
import type { Flusher } from './flusher.ts';

/**
 * Flushes the file systems of the roots, so that a page that a process has held mapped and dirty since before the walk faults, and moves
 * its file's change time, at the next store. Without it such a store leaves no trace in any signature.
 * Returns false where that could not be done.
 */
export async function settle(roots: readonly BytePath[], flusher: Flusher): Promise<boolean> {
  const done = await Promise.all(roots.map((root) => flusher.flush(Buffer.from(root, 'latin1').toString('utf8'))));
  return done.every(Boolean);
}
