import { lstatSync } from 'node:fs';
import { readDocument } from '@bailiwick/durable-files';
import { dispatchRecordCodec } from './codecs.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';

/**
 * Records as they were when they were read last. A record is never changed but replaced by another file, so that one whose
 * file is the same says the same: a batch of a thousand isn't read anew each second. What is on disk stays the truth.
 */
export interface RecordMemory {
  /** As `readDocument`: undefined where nothing is there. */
  read(path: string): Promise<DispatchRecord | undefined>;
  /** Forgets all others. */
  keepOnly(paths: ReadonlySet<string>): void;
}

/** An empty one. */
export function createRecordMemory(): RecordMemory {
  const known = new Map<string, { readonly file: string; readonly record: DispatchRecord }>();
  return {
    async read(path) {
      // looked at before it is read: one that is replaced in between is read again the next time
      const file = fileOf(path);
      const remembered = known.get(path);
      if (file !== undefined && remembered?.file === file) return remembered.record;
      known.delete(path);
      const record = await readDocument(path, dispatchRecordCodec);
      if (file !== undefined && record !== undefined) known.set(path, { file, record });
      return record;
    },
    keepOnly(paths) {
      for (const path of [...known.keys()].filter((one) => !paths.has(one))) known.delete(path);
    },
  };
}

/** Tells a file from every other one that has had its name. */
function fileOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}
