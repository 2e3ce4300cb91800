import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appendLogLine,
  encodeFileName,
  isDurableFileError,
  listFolder,
  readLog,
  requireDocument,
} from '@bailiwick/durable-files';
import { readOrFailure, type Unreadable } from './attempt-store.ts';
import { dispatchRecordCodec } from './codecs.ts';
import { type AttemptFacts, factsOfRecord } from './model/attempt-facts.ts';
import type { RunLayout } from './run-layout.ts';
import { isTerminalStatus } from './stages.ts';
import { defineRow } from './wire/log-row.ts';
import { isNoted, SettledAttemptV1 } from './wire/settled-attempt-v1.ts';
import { describing } from './wire/stored-form.ts';

/**
 * What a run holds, at the cost of what came since somebody last looked.
 *
 * S1 The record is the truth; `settled.jsonl` only remembers what records said that can't change any more. It may be deleted at any time.
 * S2 A line counts only while its record is there.
 * S3 It is written by whoever had to read many records, never as a part of settling one.
 */

/** As many records may be read again and again before they are noted: a run that is small never needs the log. */
const NOTE_FROM = 64;

const SETTLED_VERSION = '1.0';
const settledRow = defineRow<AttemptFacts>(
  'settled attempt',
  describing<AttemptFacts, typeof SettledAttemptV1>(SettledAttemptV1),
);

/** Every attempt of a run, in no order that means anything, and the records that can't be read. Throws DurableFileError as `listFolder`. */
export async function surveyAttempts(
  layout: RunLayout,
): Promise<{ readonly attempts: readonly AttemptFacts[]; readonly unreadable: readonly Unreadable[] }> {
  const names = (await listFolder(layout.dispatchesFolder)).filter((name) => name.endsWith('.json'));
  const noted = names.length < NOTE_FROM ? new Map<string, AttemptFacts>() : await readNoted(layout);
  const attempts: AttemptFacts[] = [];
  const unreadable: Unreadable[] = [];
  const fresh: AttemptFacts[] = [];
  for (const name of names) {
    const known = noted.get(name);
    if (known !== undefined) attempts.push(known);
    else await readFresh(join(layout.dispatchesFolder, name), { fresh, unreadable });
  }
  await note(
    layout,
    fresh.filter(({ status }) => isTerminalStatus(status)),
  );
  return { attempts: [...attempts, ...fresh], unreadable };
}

async function readFresh(
  path: string,
  into: { readonly fresh: AttemptFacts[]; readonly unreadable: Unreadable[] },
): Promise<void> {
  const read = await readOrFailure(path, () => requireDocument(path, dispatchRecordCodec));
  if ('error' in read) into.unreadable.push(read);
  else into.fresh.push(factsOfRecord(read.value));
}

/** What was noted of a run, as this process last read it, and the size that its log had then. */
interface Noted {
  readonly bytes: number;
  readonly byName: ReadonlyMap<string, AttemptFacts>;
}

/** A command looks at its run several times; the log only grows, so an equal size is the same log. */
const notedByPath = new Map<string, Noted>();

/** By the file name of the record. What can't be read of the log is read from the records. */
async function readNoted({ settledLogPath }: RunLayout): Promise<ReadonlyMap<string, AttemptFacts>> {
  const bytes = await sizeOf(settledLogPath);
  const known = notedByPath.get(settledLogPath);
  if (known?.bytes === bytes) return known.byName;
  const byName = await readNotedAnew(settledLogPath);
  notedByPath.set(settledLogPath, { bytes, byName });
  return byName;
}

async function readNotedAnew(path: string): Promise<ReadonlyMap<string, AttemptFacts>> {
  try {
    const { rows } = await readLog(path, { schemaVersion: SETTLED_VERSION });
    return new Map(rows.filter(isNoted).map((row) => [`${encodeFileName(row.dispatchId)}.json`, row]));
  } catch (error) {
    if (isDurableFileError(error)) return new Map();
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** A log that can't be written (another's run, a full disk) costs time and nothing else; two that note the same say the same. */
async function note(layout: RunLayout, settled: readonly AttemptFacts[]): Promise<void> {
  if (settled.length < NOTE_FROM) return;
  try {
    for (const row of settled)
      await appendLogLine(layout.settledLogPath, settledRow.encode(row), {
        schemaVersion: SETTLED_VERSION,
        flush: false,
      });
  } catch (error) {
    if (!isDurableFileError(error)) throw error;
  }
}
