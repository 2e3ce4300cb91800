import type { SnapshotReceipt, SnapshotRoot } from '../model.ts';
import { runAuditTask } from '../thread/audit-task.ts';

/** What a snapshot covers, and where it goes. */
export interface TakeSnapshotOptions {
  readonly roots: readonly SnapshotRoot[];
  /** Absolute; folders above are made. Nothing may lie there. */
  readonly snapshotPath: string;
  /** The orchestrator's paths (WP-4's list), absolute: left out with all below them (MA-1). The snapshot itself always is. */
  readonly exclude: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Takes the baseline of a batch (MA-1): every entry of the roots with its signature, ignored and untracked ones included, and git's state
 * by meaning. It works in threads of its own and runs no program of the tree. On return the snapshot is complete and flushed.
 *
 * Nothing may write below the roots meanwhile. Throws MutationAuditError: SNAPSHOT_ROOT_INVALID, SNAPSHOT_ROOT_BARE, SNAPSHOT_EXISTS,
 * SNAPSHOT_WRITE_FAILED, AUDIT_THREAD_FAILED; or `signal.reason`.
 */
export async function takeSnapshot(options: TakeSnapshotOptions): Promise<SnapshotReceipt> {
  const startedMs = performance.now();
  const { roots, snapshotPath, exclude, signal } = options;
  const answer = await runAuditTask({ kind: 'snapshot', roots, snapshotPath, exclude }, { signal });
  return { ...answer.receipt, durationMs: Math.round(performance.now() - startedMs) };
}
