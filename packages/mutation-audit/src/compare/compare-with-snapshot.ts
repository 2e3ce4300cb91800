import type { TreeObservation } from '../model.ts';
import { runAuditTask } from '../thread/audit-task.ts';
import type { ObservationSlice } from '../thread/protocol.ts';

/** Which snapshot. */
export interface CompareOptions {
  readonly snapshotPath: string;
  readonly signal?: AbortSignal;
}

/**
 * Compares the roots of a snapshot with it (MA-2, MA-11, MA-12): what changed, was made or is gone, git's state by meaning, and what
 * could not be compared. It works in threads of its own and runs no program of the tree.
 *
 * Only meaningful at a quiescent point (MA-9): nothing may write below the roots meanwhile. Throws MutationAuditError: SNAPSHOT_MISSING,
 * SNAPSHOT_DAMAGED, SNAPSHOT_NEWER_VERSION, AUDIT_THREAD_FAILED; or `signal.reason`.
 */
export async function compareWithSnapshot(options: CompareOptions): Promise<TreeObservation> {
  const startedMs = performance.now();
  const { snapshotPath, signal } = options;
  const lists = emptyLists();
  const answer = await runAuditTask(
    { kind: 'compare', snapshotPath },
    { signal, onSlice: ({ slice }) => addSlice(lists, slice) },
  );
  return { ...lists, ...answer.frame, durationMs: Math.round(performance.now() - startedMs) };
}

type Lists = { -readonly [K in keyof ObservationSlice]-?: NonNullable<ObservationSlice[K]>[number][] };

function emptyLists(): Lists {
  return { changes: [], git: [], unverifiable: [], traces: [], aliased: [] };
}

function addSlice(lists: Lists, slice: ObservationSlice): void {
  lists.changes.push(...(slice.changes ?? []));
  lists.git.push(...(slice.git ?? []));
  lists.unverifiable.push(...(slice.unverifiable ?? []));
  lists.traces.push(...(slice.traces ?? []));
  lists.aliased.push(...(slice.aliased ?? []));
}
