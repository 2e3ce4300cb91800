import { join } from 'node:path';
import { withRunLock } from '@bailiwick/dispatch-state';
import { withLock } from '@bailiwick/durable-files';
import type { DispatchContext } from '../context.ts';

/** Claims are short: no tree is walked in one. */
const CLAIM_LOCK_TIMEOUT_MS = 30_000;

/**
 * Runs `work` while nobody else claims in the whole project, since two runs may share a tree, and while the run is in no other critical
 * section. Throws DurableFileError LOCK_TIMEOUT.
 */
export async function withClaimLocks<T>(
  { stateRoot, layout }: Pick<DispatchContext, 'stateRoot' | 'layout'>,
  work: () => Promise<T>,
): Promise<T> {
  const claimLock = join(stateRoot, 'claim.lock');
  return withLock(claimLock, { timeoutMs: CLAIM_LOCK_TIMEOUT_MS }, () => withRunLock(layout, work));
}
