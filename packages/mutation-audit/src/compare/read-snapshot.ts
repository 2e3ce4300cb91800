import { MutationAuditError } from '../errors.ts';
import { readControlFile } from '../git/control-file.ts';
import { toBytePath } from '../path-name.ts';
import { decodeSnapshot } from '../snapshot/format.ts';
import type { SnapshotData } from '../snapshot/snapshot-data.ts';
import type { KeptMemory } from '../tree/kept-memory.ts';

/** Reads a snapshot file. Throws SNAPSHOT_MISSING, SNAPSHOT_DAMAGED (unreadable ones too) or SNAPSHOT_NEWER_VERSION. */
export function readSnapshot(path: string, memory: KeptMemory): SnapshotData {
  const file = readControlFile(toBytePath(path), memory);
  if (file.kind === 'bytes') return decodeSnapshot(file.bytes, path, memory);
  if (file.kind === 'absent') {
    throw new MutationAuditError('SNAPSHOT_MISSING', `There is no snapshot at ${path}.`, {
      path,
      hint: 'The attempt can only end as unverifiable; a fresh snapshot can not stand in for it.',
    });
  }
  const reason = file.kind === 'problem' ? file.problem.reason : `it is no regular file (${file.value})`;
  throw new MutationAuditError('SNAPSHOT_DAMAGED', `The snapshot ${path} can not be read: ${reason}.`, { path });
}
