import { lstatSync } from 'node:fs';
import { type DocumentCodec, readDocument } from '@bailiwick/durable-files';
import { dispatchRecordCodec, statusSidecarCodec } from './codecs.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { StatusSidecar } from './model/status-sidecar.ts';

/**
 * Records and sidecars as they were when they were read last. Neither is ever changed but replaced by another file, so that one whose
 * file is the same says the same: a batch of a thousand isn't read anew each second. What is on disk stays the truth.
 */
export interface RecordMemory {
  /** As `readDocument`: undefined where nothing is there. */
  read(path: string): Promise<DispatchRecord | undefined>;
  /** What its supervisor said last; remembered for as long as the record is. */
  readSidecar(record: DispatchRecord): Promise<StatusSidecar | undefined>;
  /** Forgets all other records. */
  keepOnly(paths: ReadonlySet<string>): void;
}

/** A document, and what tells its file from every other. */
interface Remembered<T> {
  readonly file: string;
  readonly value: T;
}

/** An empty one. */
export function createRecordMemory(): RecordMemory {
  const records = new Map<string, Remembered<DispatchRecord>>();
  const sidecars = new WeakMap<DispatchRecord, Remembered<StatusSidecar>>();
  return {
    async read(path) {
      const found = await look(path, dispatchRecordCodec, records.get(path));
      if (found === undefined) records.delete(path);
      else records.set(path, found);
      return found?.value;
    },
    async readSidecar(record) {
      const found = await look(record.statusSidecarPath, statusSidecarCodec, sidecars.get(record));
      if (found !== undefined) sidecars.set(record, found);
      return found?.value;
    },
    keepOnly(paths) {
      for (const path of [...records.keys()].filter((one) => !paths.has(one))) records.delete(path);
    },
  };
}

async function look<T>(
  path: string,
  codec: DocumentCodec<T>,
  known: Remembered<T> | undefined,
): Promise<Remembered<T> | undefined> {
  // looked at before it is read: one that is replaced in between is read again the next time
  const file = fileOf(path);
  if (file !== undefined && known?.file === file) return known;
  const value = await readDocument(path, codec);
  return value === undefined ? undefined : { file: file ?? '', value };
}

/** Tells a file from every other one that has had its name. */
function fileOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}
