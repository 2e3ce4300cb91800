import type { Digest } from '@bailiwick/durable-files';
import { runAuditTask } from '../thread/audit-task.ts';

/** Which work tree. */
export interface SourceDigestOptions {
  readonly worktree: string;
  /** Absolute paths that are no source, such as drop boxes and the orchestrator's own. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * One digest over the source of a work tree as it stands (ST-8): path, type, executable bit and content of every file and link that is tracked
 * or not ignored. Every file is read; nothing of git's index is believed. Equal trees have equal digests, whatever their times and inodes.
 *
 * Throws MutationAuditError SNAPSHOT_ROOT_INVALID, SNAPSHOT_ROOT_BARE, SOURCE_UNREADABLE where a file can't be read; or `signal.reason`.
 */
export async function sourceDigest(options: SourceDigestOptions): Promise<Digest> {
  const { worktree, exclude = [], signal } = options;
  const answer = await runAuditTask({ kind: 'source-digest', worktree, exclude }, { signal });
  // Made by the audit's thread from 32 bytes of SHA-256.
  return answer.digest as Digest;
}
