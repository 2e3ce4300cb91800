import { join } from 'node:path';
import {
  claimFile,
  DurableFileError,
  isDurableFileError,
  listFolder,
  readDocument,
  removeFile,
  requireDocument,
  writeDocument,
} from '@bailiwick/durable-files';
import type { DispatchId } from '@bailiwick/execution-identity';
import { dispatchRecordCodec } from './codecs.ts';
import { DispatchStateError } from './errors.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import { isThere } from './path-there.ts';
import { createRecordMemory, type RecordMemory } from './record-memory.ts';
import { openMarkerOf, type RunLayout, recordPathOf } from './run-layout.ts';

/**
 * The records of a run and the markers of those that aren't settled.
 *
 * A1 A record is made once and exclusively: it is the claim of its attempt (BA-6).
 * A2 The marker is durable before the record, and goes after the terminal one: a record that isn't settled has a marker. A marker
 *    without a record is a claim that was cut off; nothing came of it. One that has a sidecar had a record, which somebody removed.
 * A3 What isn't settled is found by markers alone: listing them costs what is open, not what the run holds.
 */

/**
 * Claims an attempt: marker, then record (A1, A2), both durable when it returns. The caller holds the run lock.
 *
 * @throws DispatchStateError ATTEMPT_ALREADY_CLAIMED where the record exists; DurableFileError as `writeDocument`
 */
export async function claimAttempt(layout: RunLayout, record: DispatchRecord): Promise<void> {
  const path = recordPathOf(layout, record.dispatchId);
  if (isThere(path)) throw alreadyClaimed([record.dispatchId], path);
  await claimFile(openMarkerOf(layout, record.dispatchId));
  try {
    await writeDocument(path, dispatchRecordCodec, record, { exclusive: true });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'FILE_EXISTS') throw error;
    throw alreadyClaimed([record.dispatchId], path, error);
  }
}

/** The error for attempts that another command has claimed; `names` holds their ids. */
export function alreadyClaimed(dispatchIds: readonly DispatchId[], path: string, cause?: unknown): DispatchStateError {
  return new DispatchStateError('ATTEMPT_ALREADY_CLAIMED', `already dispatched: ${dispatchIds.join(', ')}`, {
    path,
    names: dispatchIds,
    hint: '`bailiwick team await` settles what runs; `bailiwick team status` shows it',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** An attempt's record, or undefined where it was never claimed. Throws DurableFileError as `readDocument`. */
export async function readRecord(layout: RunLayout, dispatchId: DispatchId): Promise<DispatchRecord | undefined> {
  return readDocument(recordPathOf(layout, dispatchId), dispatchRecordCodec);
}

/**
 * The record of an attempt that must have been claimed.
 *
 * @throws DispatchStateError RECORD_MISSING; DurableFileError as `readDocument`
 */
export async function requireRecord(layout: RunLayout, dispatchId: DispatchId): Promise<DispatchRecord> {
  const record = await readRecord(layout, dispatchId);
  if (record !== undefined) return record;
  throw new DispatchStateError('RECORD_MISSING', `attempt ${dispatchId} was never dispatched`, {
    path: recordPathOf(layout, dispatchId),
    hint: '`bailiwick team status` names the attempts of a run',
  });
}

/**
 * Replaces a record by its next form, durable when it returns; the caller holds the lock that its transition needs.
 * Throws DurableFileError as `writeDocument`: DOCUMENT_INVALID for an end that can't be (`recordIssues`), and nothing is written.
 */
export async function writeRecord(layout: RunLayout, record: DispatchRecord): Promise<void> {
  await writeDocument(recordPathOf(layout, record.dispatchId), dispatchRecordCodec, record);
}

/**
 * Every record of a run, in no order that means anything. Reads as many files as the run has attempts: for reports, never for a dispatch.
 * Throws DurableFileError as `readDocument` for the first one that can't be read; `surveyRecords` goes on.
 */
export async function readAllRecords(layout: RunLayout): Promise<readonly DispatchRecord[]> {
  const { records, unreadable } = await surveyRecords(layout);
  for (const { error } of unreadable) throw error;
  return records;
}

/** A document that is there and can't be read: damaged, of a newer version, or kept from us by the system. */
export interface Unreadable {
  readonly path: string;
  readonly error: DurableFileError;
}

/** As `readAllRecords`, with those that can't be read listed instead of thrown. `keepDamaged` as in `readDocument`. */
export async function surveyRecords(
  layout: RunLayout,
  o: { readonly keepDamaged?: boolean } = {},
): Promise<{ readonly records: readonly DispatchRecord[]; readonly unreadable: readonly Unreadable[] }> {
  const names = (await listFolder(layout.dispatchesFolder)).filter((name) => name.endsWith('.json'));
  const records: DispatchRecord[] = [];
  const unreadable: Unreadable[] = [];
  for (const name of names) {
    const path = join(layout.dispatchesFolder, name);
    const read = await readOrFailure(path, () => requireDocument(path, dispatchRecordCodec, o));
    if ('error' in read) unreadable.push(read);
    else records.push(read.value);
  }
  return { records, unreadable };
}

/** An attempt that has a marker: with its record, or without one where the claim was cut off before it (A2). */
export interface OpenAttempt {
  readonly markerName: string;
  readonly record: DispatchRecord | undefined;
}

/**
 * What isn't settled yet (A3). Throws DurableFileError as `readDocument` for the first record that can't be read;
 * `surveyOpenAttempts` goes on.
 */
export async function listOpenAttempts(layout: RunLayout): Promise<readonly OpenAttempt[]> {
  const { attempts, unreadable } = await surveyOpenAttempts(layout);
  for (const { error } of unreadable) throw error;
  return attempts;
}

/**
 * As `listOpenAttempts`, with what can't be read listed instead of thrown: one damaged record doesn't hide the others (AW-3). Who
 * looks again and again passes the same `memory`, and reads what has changed.
 */
export async function surveyOpenAttempts(
  layout: RunLayout,
  memory: RecordMemory = createRecordMemory(),
): Promise<{ readonly attempts: readonly OpenAttempt[]; readonly unreadable: readonly Unreadable[] }> {
  const attempts: OpenAttempt[] = [];
  const unreadable: Unreadable[] = [];
  const markerNames = await listFolder(layout.openFolder);
  const paths = markerNames.map((markerName) => join(layout.dispatchesFolder, `${markerName}.json`));
  memory.keepOnly(new Set(paths));
  for (const [at, markerName] of markerNames.entries()) {
    const path = paths[at] ?? '';
    const read = await readOrFailure(path, () => memory.read(path));
    if ('error' in read) unreadable.push(read);
    else if (read.value === undefined && wasStarted(layout, markerName)) unreadable.push(recordRemoved(path));
    else attempts.push({ markerName, record: read.value });
  }
  return { attempts, unreadable };
}

/** Records that somebody removed while their attempts were open; found without reading those that are there. */
export async function surveyRemovedRecords(layout: RunLayout): Promise<readonly Unreadable[]> {
  const markerNames = await listFolder(layout.openFolder);
  return markerNames
    .map((markerName) => ({ markerName, path: join(layout.dispatchesFolder, `${markerName}.json`) }))
    .filter(({ markerName, path }) => !isThere(path) && wasStarted(layout, markerName))
    .map(({ path }) => recordRemoved(path));
}

/** A worker has a sidecar before it runs, and a record before that. */
function wasStarted(layout: RunLayout, markerName: string): boolean {
  return isThere(join(layout.sidecarsFolder, `${markerName}.json`));
}

function recordRemoved(path: string): Unreadable {
  const hint = 'Its sidecar and its log are still there: look at who removed it; its marker in `open/` keeps saying so';
  const error = new DurableFileError('FILE_MISSING', 'the record of an attempt whose worker was started is gone', {
    path,
    hint,
  });
  return { path, error };
}

/**
 * Takes the marker away: the attempt's terminal record and its events are durable. Nothing where there is none. A marker that a power
 * cut brings back finds all of that, and is taken away again.
 */
export async function closeAttempt(layout: RunLayout, dispatchId: DispatchId): Promise<void> {
  await removeFile(openMarkerOf(layout, dispatchId), { flush: false });
}

/** Takes a marker away whose claim never got as far as a record; the caller holds the run lock, so that no claim is half-way. */
export async function dropMarker(layout: RunLayout, markerName: string): Promise<void> {
  await removeFile(join(layout.openFolder, markerName));
}

/** What a read gives, or why the document can't be read; anything but a `DurableFileError` is thrown. */
export async function readOrFailure<T>(
  path: string,
  read: () => Promise<T>,
): Promise<{ readonly value: T } | Unreadable> {
  try {
    return { value: await read() };
  } catch (error) {
    if (isDurableFileError(error)) return { path, error };
    throw error;
  }
}
