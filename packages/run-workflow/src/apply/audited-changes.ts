import { dirname, join, relative } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { displayPath, type PathName } from '@bailiwick/mutation-audit';

/** A path of a worktree, absolute, with what the audit saw before and after. */
export interface AuditedChange {
  readonly path: PathName;
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
}

/** The last audited state of each path below a worktree that the implementers' attempts changed. */
export function auditedChanges(records: readonly DispatchRecord[], worktree: string): readonly AuditedChange[] {
  const byPath = new Map<string, AuditedChange>();
  for (const record of records.filter((row) => row.role === 'implementer' && row.status === 'completed'))
    for (const { path, beforeDigest, afterDigest } of record.contract?.audit?.changedPaths ?? [])
      if (isBelow(worktree, absolute(record, path)))
        byPath.set(displayPath(path), { path: absolute(record, path), beforeDigest, afterDigest });
  return [...byPath.values()];
}

function absolute(record: DispatchRecord, path: PathName): string {
  const shown = displayPath(path);
  return shown.startsWith('/') ? shown : join(projectOf(record), shown);
}

/** Audit paths are project-relative; the drop box lies at a known place below the project. */
function projectOf(record: DispatchRecord): string {
  return dirname(dirname(dirname(record.dropBoxPath)));
}

function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('../') && below !== '..' && !below.startsWith('/');
}
