import { dirname, join } from 'node:path';
import { type RunManifest, workTreeOf } from '@bailiwick/dispatch-state';
import type { Digest } from '@bailiwick/durable-files';
import { sourceDigest } from '@bailiwick/mutation-audit';

/**
 * The source of a run's tree as it stands: what a verifier's verdict is bound to (ST-8). Drop boxes, worktrees and the state of runs are
 * none of it. The last of these must not even be opened: a lock file among them that is closed again frees this process's lock.
 */
export async function sourceDigestOf(manifest: RunManifest): Promise<Digest> {
  const worktree = workTreeOf(manifest);
  const ours = join(worktree, '.bailiwick');
  const stateRoot = dirname(dirname(manifest.runDirectoryPath));
  return sourceDigest({ worktree, exclude: [stateRoot, join(ours, 'out'), join(ours, 'worktrees')] });
}
