import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createSealer, createUnsignedSealer, type Sealer, sealSettledAttempt } from '@bailiwick/attempt-evidence';
import { sourceDigestOf } from '@bailiwick/dispatch';
import { type DispatchRecord, dispatchRecordCodec, recordPathOf } from '@bailiwick/dispatch-state';
import { digestOfFile } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import {
  parseAnchor,
  readRun,
  type StoredRun,
  trustedKeys,
  type VerifyRunOptions,
  verifyRun,
} from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { completedRecord, type SampleRun } from '../support/sample-run.ts';
import { bareProject, storeDerived, storeRecord, storeRun } from '../support/stored-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LENIENT: VerifyRunOptions = { publicKeys: [], anchors: [], requireSigned: false };
const UNSIGNED = createUnsignedSealer({ reason: 'a test' });

/** Seals, writes the record and what is derived from it: what settlement does. */
async function settle(run: SampleRun, record: DispatchRecord, sealer: Sealer = UNSIGNED): Promise<void> {
  await storeRecord(run, record);
  const path = recordPathOf(run.layout, record.dispatchId);
  const { runDirectory } = run.layout;
  const recordFile = { name: relative(runDirectory, path), digest: await digestOfFile(path) };
  const outcome = await sealSettledAttempt({
    runDirectory,
    record,
    recordFile,
    further: [],
    sealer: async () => sealer,
  });
  expect(outcome.kind).toBe('sealed');
  await storeDerived(run, record);
}

async function found(run: StoredRun, o: Partial<VerifyRunOptions> = {}) {
  const { differences, ...rest } = await verifyRun(run, { ...LENIENT, ...o });
  // No contract of the sample is stored, and its task's text is another: said once below.
  const codes = differences
    .map(({ code }) => code)
    .filter((code) => code !== 'contract-differs' && code !== 'task-differs');
  return { codes, all: differences.map(({ code, file }) => `${code} ${file}`), ...rest };
}

async function runWith(recordsOf: (run: SampleRun) => readonly DispatchRecord[], sealer?: Sealer) {
  const project = bareProject();
  const run = await storeRun(project);
  await mkdir(join(project.root, 'src'), { recursive: true });
  await writeFile(join(project.root, 'src', 'cart.js'), 'one');
  for (const record of recordsOf(run)) await settle(run, record, sealer);
  return { project, again: () => readRun(project, run.manifest.runId) };
}

describe('verifying a run', () => {
  it('EV-3 names a record that was altered, one that can’t be read, a contract that is gone and a task that differs', async () => {
    const { again } = await runWith((run) => [completedRecord(run, 'implementer'), completedRecord(run, 'verifier-1')]);
    const before = await found(await again());
    expect([before.codes, before.seals, before.unsigned, before.attempts]).toEqual([[], 2, 2, 2]);
    expect(
      before.all.filter((line) => line.startsWith('task-differs') || line.includes('contract-differs')),
    ).toHaveLength(3);
    const run = await again();
    const [first, second] = run.records;
    if (first === undefined || second === undefined) throw new Error('two were stored');
    const altered = { ...(dispatchRecordCodec.encode(first) as object), reason: 'nobody wrote this' };
    await writeFile(recordPathOf(run.layout, first.dispatchId), `${JSON.stringify(altered, null, 2)}\n`);
    await writeFile(recordPathOf(run.layout, second.dispatchId), '{"half":');
    const after = await found(await again());
    // Whether the one whose record can't be read may be unsigned isn't known any more.
    expect(new Set(after.codes)).toEqual(new Set(['file-differs', 'event-differs', 'record-unreadable', 'unsigned']));
  });

  it('EV-3 takes unsigned seals only of attempts whose worker could have had the key, and none where signatures are asked for', async () => {
    const open = await runWith((run) => [completedRecord(run, 'implementer')]);
    expect((await found(await open.again())).codes).toEqual([]);
    expect((await found(await open.again(), { requireSigned: true })).codes).toEqual(['unsigned']);
    const masked = (run: SampleRun): readonly DispatchRecord[] => {
      const record = completedRecord(run, 'implementer');
      return [{ ...record, writeEnforcement: { ...record.writeEnforcement, boundary: 'bubblewrap' } }];
    };
    expect((await found(await (await runWith(masked)).again())).codes).toEqual(['unsigned']);
    const keyFolder = join(tempFolder(), 'keys');
    const signed = await runWith(masked, await createSealer({ keyFolder, workerRoots: [] }));
    expect((await found(await signed.again())).codes).toEqual(['key-unknown']);
    expect((await found(await signed.again(), { publicKeys: await trustedKeys([], keyFolder) })).codes).toEqual([]);
  });

  it('EV-3 finds seals that were cut off, where the last one was noted', async () => {
    const { again } = await runWith((run) => [completedRecord(run, 'implementer')]);
    const { last } = await found(await again());
    expect((await found(await again(), { anchors: [parseAnchor(last?.digest ?? '')] })).codes).toEqual([]);
    const other = parseAnchor(`sha256:${'0'.repeat(64)}`);
    expect((await found(await again(), { anchors: [other] })).codes).toEqual(['anchor-missing']);
    expect(await codeOf(async () => parseAnchor('0'))).toBe('ANCHOR_INVALID');
    expect(await codeOf(() => trustedKeys(['/nowhere/x.pub.pem'], '/nowhere'))).toBe('KEY_UNREADABLE');
  });

  it('ST-8 shows a verdict as stale once the source differs from what it was about', async () => {
    const project = bareProject();
    const run = await storeRun(project);
    await writeFile(join(project.root, 'cart.js'), 'one');
    const sourceDigest = await sourceDigestOf(run.manifest);
    await settle(run, completedRecord(run, 'verifier-1', { sourceDigest }));
    const again = async () => found(await readRun(project, run.manifest.runId));
    expect((await again()).verdicts.map(({ state }) => state)).toEqual(['current']);
    await mkdir(join(project.root, '.bailiwick', 'out', 'x'), { recursive: true });
    await writeFile(join(project.root, '.bailiwick', 'out', 'x', 'result.json'), '{}');
    expect((await again()).verdicts.map(({ state }) => state)).toEqual(['current']);
    await writeFile(join(project.root, 'cart.js'), 'two');
    const { verdicts, codes } = await again();
    expect([verdicts.map(({ state }) => state), codes]).toEqual([['stale'], []]);
  });
});
