import { runAuditTask } from '../thread/audit-task.ts';
import type { OutlineLimits, TreeOutline } from './outline-task.ts';

/** Which work tree, and how large it may be. */
export interface OutlineOptions extends OutlineLimits {
  readonly worktree: string;
  /** Absolute paths that are left out. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * The folders and files of a tree that a copy of it needs: all but what lies in ignored folders, version control's own
 * folders and what is neither file nor link. Asks git nothing.
 *
 * Throws MutationAuditError SNAPSHOT_ROOT_INVALID, SNAPSHOT_ROOT_BARE; or `signal.reason`.
 */
export async function outlineTree(options: OutlineOptions): Promise<TreeOutline> {
  const { worktree, exclude = [], signal, maxFiles, maxBytes } = options;
  const task = { kind: 'outline', worktree, exclude, limits: { maxFiles, maxBytes } } as const;
  return (await runAuditTask(task, { signal })).outline;
}
