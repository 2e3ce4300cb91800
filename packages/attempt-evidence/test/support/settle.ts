import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DispatchRecord, dispatchRecordCodec } from '@bailiwick/dispatch-state';
import { encodeFileName, writeDocument } from '@bailiwick/durable-files';
import {
  digestToBeWritten,
  type Sealer,
  type SealOutcome,
  type SealReceipt,
  sealSettledAttempt,
  sealSettledAttempts,
} from '../../src/index.ts';
import { sampleRecord } from './sample-record.ts';

/** Where attempts are settled, and with what. */
export interface SettleIn {
  readonly runDirectory: string;
  readonly sealer: Sealer;
}

/** Leaves the files that an attempt leaves, and gives the record that it would be settled with. */
export async function runAttempt(runDirectory: string, worker: string, attempt = 1): Promise<DispatchRecord> {
  const artifactText = `{"worker":"${worker}"}\n`;
  const record = sampleRecord({ runDirectory, worker, attempt, artifactText });
  await putFile(runDirectory, `prompts/${worker}.md`, '**Role:** implementer\n');
  await putFile(runDirectory, `prompts/${worker}.md.meta.json`, '{}\n');
  await putFile(runDirectory, `invocations/${worker}.json`, '{}\n');
  await putFile(runDirectory, `sidecars/${worker}.json`, '{"stage":"exited"}\n');
  await putFile(runDirectory, `logs/${worker}.log`, 'working\ndone\n');
  for (const { copy } of record.result?.artifacts ?? []) await putFile(runDirectory, copy, artifactText);
  return record;
}

/** Seals, then writes the record: what settlement does. */
export async function settleAttempt(run: SettleIn, record: DispatchRecord): Promise<SealReceipt> {
  const receipt = await sealOnly(run, record);
  const path = join(run.runDirectory, recordFileOf(record));
  await mkdir(dirname(path), { recursive: true });
  await writeDocument(path, dispatchRecordCodec, record);
  return receipt;
}

/** Seals, and is cut off before the record is written. */
export async function sealOnly({ runDirectory, sealer }: SettleIn, record: DispatchRecord): Promise<SealReceipt> {
  const outcome = await sealSettledAttempt({
    runDirectory,
    record,
    recordFile: { name: recordFileOf(record), digest: digestToBeWritten(dispatchRecordCodec, record) },
    further: [join(runDirectory, 'run-manifest.json'), join(runDirectory, `invocations/${record.executionLabel}.json`)],
    sealer: async () => sealer,
  });
  if (outcome.kind === 'unsealed') throw new Error(outcome.reason);
  return outcome.receipt;
}

/** As `sealOnly`, of several. */
export async function sealTogether(
  { runDirectory, sealer }: SettleIn,
  records: readonly DispatchRecord[],
): Promise<readonly SealOutcome[]> {
  const attempts = records.map((record) => ({
    record,
    recordFile: { name: recordFileOf(record), digest: digestToBeWritten(dispatchRecordCodec, record) },
    further: [join(runDirectory, 'run-manifest.json'), join(runDirectory, `invocations/${record.executionLabel}.json`)],
    sealer: async () => sealer,
  }));
  return sealSettledAttempts(runDirectory, attempts);
}

/** Writes records that are sealed. */
export async function writeRecords(runDirectory: string, records: readonly DispatchRecord[]): Promise<void> {
  await mkdir(join(runDirectory, 'dispatches'), { recursive: true });
  for (const record of records)
    await writeDocument(join(runDirectory, recordFileOf(record)), dispatchRecordCodec, record);
}

export function recordFileOf(record: DispatchRecord): string {
  return `dispatches/${encodeFileName(record.dispatchId)}.json`;
}

export async function putFile(runDirectory: string, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(runDirectory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
