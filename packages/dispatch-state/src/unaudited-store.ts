import { join } from 'node:path';
import {
  type DocumentCodec,
  defineDocument,
  encodeFileName,
  ensureFolder,
  isDurableFileError,
  listFolder,
  requireDocument,
  writeDocument,
} from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import { alreadyClaimed, readOrFailure, type Unreadable } from './attempt-store.ts';
import { dispatchRecordCodec } from './codecs.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { UnauditedRecord } from './model/unaudited.ts';
import { isThere } from './path-there.ts';
import { type RunLayout, recordPathOf } from './run-layout.ts';
import { isTerminalStatus } from './stages.ts';
import { unauditedIssues } from './unaudited-rules.ts';
import { DispatchRecordV1 } from './wire/dispatch-record-v1.ts';
import { describing } from './wire/stored-form.ts';

/** `unaudited/<dispatchId>.json`, version 1.0. */
export const unauditedRecordCodec: DocumentCodec<UnauditedRecord> = defineDocument({
  name: 'record of an unaudited attempt',
  version: '1.0',
  schema: describing<UnauditedRecord, typeof DispatchRecordV1>(DispatchRecordV1),
  check: unauditedIssues,
});

/** Where the record of a v1 job's attempt lies: apart from those that are audited, so that none is taken for another. */
export function unauditedPathOf(layout: RunLayout, dispatchId: DispatchId): string {
  return join(layout.unauditedFolder, `${encodeFileName(dispatchId)}.json`);
}

/**
 * Claims an attempt of a v1 job, durable when it returns; the caller holds the run lock. A dispatch id is claimed once, whichever the
 * generation. Throws DispatchStateError ATTEMPT_ALREADY_CLAIMED; DurableFileError as `writeDocument`.
 */
export async function claimUnaudited(layout: RunLayout, record: UnauditedRecord): Promise<void> {
  const path = unauditedPathOf(layout, record.dispatchId);
  const audited = recordPathOf(layout, record.dispatchId);
  if (isThere(audited)) throw alreadyClaimed([record.dispatchId], audited);
  await ensureFolder(layout.unauditedFolder);
  try {
    await writeDocument(path, unauditedRecordCodec, record, { exclusive: true });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
    throw alreadyClaimed([record.dispatchId], path, error);
  }
}

/** Replaces the record by its terminal form. Throws DurableFileError as `writeDocument`. */
export async function writeUnaudited(layout: RunLayout, record: UnauditedRecord): Promise<void> {
  await writeDocument(unauditedPathOf(layout, record.dispatchId), unauditedRecordCodec, record);
}

/** The record as it is now. Throws DurableFileError as `requireDocument`. */
export async function requireUnaudited(layout: RunLayout, dispatchId: DispatchId): Promise<UnauditedRecord> {
  return requireDocument(unauditedPathOf(layout, dispatchId), unauditedRecordCodec);
}

/** Every attempt of a v1 job, in the order of their start; none in almost every run. Throws DurableFileError as `readDocument`. */
export async function readUnaudited(layout: RunLayout): Promise<readonly UnauditedRecord[]> {
  const { records, unreadable } = await surveyUnaudited(layout);
  for (const { error } of unreadable) throw error;
  return records;
}

/** As `readUnaudited`, with those that can't be read listed instead of thrown. */
export async function surveyUnaudited(
  layout: RunLayout,
): Promise<{ readonly records: readonly UnauditedRecord[]; readonly unreadable: readonly Unreadable[] }> {
  const names = (await listFolder(layout.unauditedFolder)).filter((name) => name.endsWith('.json'));
  const paths = names.map((name) => join(layout.unauditedFolder, name));
  const read = await Promise.all(
    paths.map((path) => readOrFailure(path, () => requireDocument(path, unauditedRecordCodec))),
  );
  const records = read.flatMap((one) => ('error' in one ? [] : [one.value]));
  return {
    records: records.toSorted((a, b) => a.dispatchedAt.localeCompare(b.dispatchedAt)),
    unreadable: read.flatMap((one) => ('error' in one ? [one] : [])),
  };
}

/** Those of them that aren't settled. */
export async function readOpenUnaudited(layout: RunLayout): Promise<readonly UnauditedRecord[]> {
  return (await readUnaudited(layout)).filter((record) => !isTerminalStatus(record.status));
}

/** The record that a supervisor is told of, of either generation. Throws DurableFileError as `requireDocument`. */
export async function requireClaim(path: string): Promise<DispatchRecord | UnauditedRecord> {
  return requireDocument(path, claimCodec);
}

const claimCodec: DocumentCodec<DispatchRecord | UnauditedRecord> = {
  name: 'dispatch record',
  version: dispatchRecordCodec.version,
  decode: (value, where) =>
    isVersionOne(value) ? unauditedRecordCodec.decode(value, where) : dispatchRecordCodec.decode(value, where),
  encode: (record) =>
    record.schemaVersion === '1.0' ? unauditedRecordCodec.encode(record) : dispatchRecordCodec.encode(record),
};

function isVersionOne(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'schemaVersion') === '1.0';
}
