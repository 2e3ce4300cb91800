import { dirname } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import type { PathName } from '@bailiwick/mutation-audit';
import { bytesOfPath } from './worktree-changes.ts';

/** A path of a worktree with what the audit saw before and after. */
export interface AuditedChange {
  /** Relative to the worktree, as bytes: a name need not be UTF-8. */
  readonly name: Buffer;
  readonly beforeDigest: string | null;
  readonly afterDigest: string | null;
}

/** The last audited state of each path below a worktree that the implementers' attempts changed. */
export function auditedChanges(records: readonly DispatchRecord[], worktree: string): readonly AuditedChange[] {
  const prefix = bytesOfPath(`${worktree}/`);
  const byName = new Map<string, AuditedChange>();
  for (const record of records.filter((row) => row.role === 'implementer' && row.status === 'completed'))
    for (const { path, beforeDigest, afterDigest } of record.contract?.audit?.changedPaths ?? []) {
      const whole = absolute(record, path);
      const name = whole.subarray(prefix.length);
      if (name.length > 0 && whole.subarray(0, prefix.length).equals(prefix))
        byName.set(name.toString('latin1'), { name, beforeDigest, afterDigest });
    }
  return [...byName.values()];
}

const SLASH = 0x2f;

function absolute(record: DispatchRecord, path: PathName): Buffer {
  const bytes = bytesOfPath(path);
  return bytes[0] === SLASH ? bytes : Buffer.concat([bytesOfPath(`${projectOf(record)}/`), bytes]);
}

/** Audit paths are project-relative; the drop box lies at a known place below the project. */
function projectOf(record: DispatchRecord): string {
  return dirname(dirname(dirname(record.dropBoxPath)));
}
