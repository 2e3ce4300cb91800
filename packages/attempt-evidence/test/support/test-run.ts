import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DispatchRecord, dispatchRecordCodec } from '@bailiwick/dispatch-state';
import { requireDocument } from '@bailiwick/durable-files';
import {
  createSealer,
  createUnsignedSealer,
  type ExpectedSeal,
  expectedSealOf,
  type RunToVerify,
  type SealVerification,
  verifyRunSeals,
} from '../../src/index.ts';
import { putFile, recordFileOf, runAttempt, type SettleIn, settleAttempt } from './settle.ts';
import { tempFolder } from './temp-folder.ts';

/** A run on disk, its key elsewhere. */
export interface TestRun extends SettleIn {
  readonly keyFolder: string;
  /** None for an unsigned run. */
  readonly publicKeys: readonly string[];
}

/** A run without attempts. */
export async function emptyRun(signing: 'signed' | 'unsigned' = 'signed'): Promise<TestRun> {
  const folder = await tempFolder();
  const [keyFolder, runDirectory] = [join(folder, 'keys'), join(folder, 'runs', 'r-1')];
  await putFile(runDirectory, 'run-manifest.json', '{"runId":"r-1"}\n');
  await putFile(runDirectory, 'snapshots/b1.snap', 'a baseline\n');
  if (signing === 'unsigned')
    return { runDirectory, keyFolder, sealer: createUnsignedSealer({ reason: 'no isolation' }), publicKeys: [] };
  const sealer = await createSealer({ keyFolder, workerRoots: [] });
  return { runDirectory, keyFolder, sealer, publicKeys: [sealer.publicKey] };
}

/** A run with a settled and sealed attempt of each worker, in this order. */
export async function sealedRun(
  workers: readonly string[],
  signing: 'signed' | 'unsigned' = 'signed',
): Promise<TestRun & { readonly expected: readonly ExpectedSeal[] }> {
  const run = await emptyRun(signing);
  for (const worker of workers) await settleAttempt(run, await runAttempt(run.runDirectory, worker));
  return { ...run, expected: await expectedOf(run) };
}

/** What the records lead to expect, as they are on disk. */
export async function expectedOf({ runDirectory }: TestRun): Promise<readonly ExpectedSeal[]> {
  const records = await readRecords(runDirectory);
  return records.map((record) => expectedSealOf(record, { recordFile: recordFileOf(record), unsealedReason: null }));
}

/** Verifies as `run verify` would; `rules` over the run's own. */
export async function verify(run: TestRun, rules: Partial<RunToVerify> = {}): Promise<SealVerification> {
  const { runDirectory, publicKeys } = run;
  const expected = rules.expected ?? (await expectedOf(run));
  return verifyRunSeals({ runDirectory, publicKeys, acceptUnsigned: publicKeys.length === 0, ...rules, expected });
}

/** Code and file of everything that verifying finds. */
export async function findings(run: TestRun, rules: Partial<RunToVerify> = {}): Promise<readonly string[]> {
  return (await verify(run, rules)).differences.map(({ code, file }) => `${code} ${file}`);
}

async function readRecords(runDirectory: string): Promise<readonly DispatchRecord[]> {
  const folder = join(runDirectory, 'dispatches');
  if (!existsSync(folder)) return [];
  return Promise.all(readdirSync(folder).map((name) => requireDocument(join(folder, name), dispatchRecordCodec)));
}
