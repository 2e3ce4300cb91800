import { join } from 'node:path';
import { type RunManifest, workTreeOf } from '@bailiwick/dispatch-state';
import type { Digest } from '@bailiwick/durable-files';
import { sourceDigest } from '@bailiwick/mutation-audit';

/**
 * The source of a run's tree as it stands: what a verifier's verdict is bound to (ST-8). Drop boxes and worktrees are none of it; without
 * git nothing else would leave them out.
 */
export async function sourceDigestOf(manifest: RunManifest): Promise<Digest> {
  const worktree = workTreeOf(manifest);
  const ours = join(worktree, '.bailiwick');
  return sourceDigest({ worktree, exclude: [join(ours, 'out'), join(ours, 'worktrees')] });
}
