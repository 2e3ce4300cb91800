import { readdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { digestOfBytes, isStagingName, withLock } from '@bailiwick/durable-files';
import { parseInvocationRef, sealKeyOf } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  appendSeal,
  buildStatement,
  chainLockPathOf,
  createUnsignedSealer,
  HEAD_FILE,
  readSeal,
  sealFileOf,
  sealSettledAttempt,
} from '../src/index.ts';
import { runProgram } from './support/child-program.ts';
import { codeOf } from './support/code-of.ts';
import { sampleRecord } from './support/sample-record.ts';
import { recordFileOf, runAttempt, sealOnly, settleAttempt } from './support/settle.ts';
import { emptyRun, findings, sealedRun, type TestRun, verify } from './support/test-run.ts';

const LATER = '2026-11-29T16:09:00.000Z';

// Each round starts programs of its own and waits for disk flushes.
const SLOW_MS = 240_000;

describe('the chain of a run', () => {
  it('holds the seals in the order in which they were made, each with the digest of the one before it', async () => {
    const run = await sealedRun(['a', 'b', 'c']);
    const seals = await Promise.all(['a', 'b', 'c'].map((worker) => sealOf(run, worker)));
    expect(seals.map((seal) => seal?.statement.predicate.chain)).toEqual([
      { sequence: 1, previous: null, supersedes: null },
      { sequence: 2, previous: { sealKey: 'inv-a:seal-1', digest: seals[0]?.digest }, supersedes: null },
      { sequence: 3, previous: { sealKey: 'inv-b:seal-1', digest: seals[1]?.digest }, supersedes: null },
    ]);
    expect(await readFile(join(run.runDirectory, HEAD_FILE), 'utf8')).toBe(seals[2]?.text);
    expect(await verify(run)).toMatchObject({ differences: [], seals: 3, signed: 3, last: { sequence: 3 } });
  });

  it('EV-3 holds one seal for an attempt that is sealed again with the same content', async () => {
    const run = await emptyRun();
    const record = await runAttempt(run.runDirectory, 'a');
    const first = await settleAttempt(run, record);
    expect(await sealOnly(run, record)).toEqual({ ...first, isNew: false });
    expect(await verify(run)).toMatchObject({ differences: [], seals: 1 });
  });

  it('ST-4 keeps a seal whose settlement was cut off and then decided anew, and names it superseded', async () => {
    const run = await emptyRun();
    const record = await runAttempt(run.runDirectory, 'a');
    const first = await sealOnly(run, record);
    await settleAttempt(run, await runAttempt(run.runDirectory, 'b'));
    await settleAttempt(run, { ...record, finishedAt: LATER });
    expect((await sealOf(run, 'a'))?.statement.predicate.chain).toMatchObject({
      sequence: 3,
      supersedes: first.digest,
    });
    expect(await verify(run)).toMatchObject({ differences: [], seals: 3, superseded: 1 });
  });

  it('ID-5 EV-3 holds each attempt of an invocation against its own seal: none stands in for the other', async () => {
    const run = await emptyRun();
    for (const attempt of [1, 2]) await settleAttempt(run, await runAttempt(run.runDirectory, 'a', attempt));
    expect(await verify(run)).toMatchObject({ differences: [], seals: 2, superseded: 0 });
    await rm(join(run.runDirectory, sealFileOf(sealKeyOf(parseInvocationRef('inv-a'), 2))));
    expect(await findings(run)).toContain('seal-missing seals/inv-a%3aseal-2.json');
  });

  it('is one chain without gaps after five processes sealed at once', { timeout: SLOW_MS }, async () => {
    const run = await emptyRun();
    const program = (prefix: string) => runProgram('seal-many', [run.runDirectory, run.keyFolder, prefix, '2']);
    const ended = await Promise.all(['v', 'w', 'x', 'y', 'z'].map(program));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(Array(5).fill(0));
    expect(await verify(run)).toMatchObject({ differences: [], seals: 10, signed: 10, last: { sequence: 10 } });
  });

  it('can be verified while others seal', { timeout: SLOW_MS }, async () => {
    const run = await emptyRun();
    await settleAttempt(run, await runAttempt(run.runDirectory, 'first'));
    const sealing = runProgram('seal-many', [run.runDirectory, run.keyFolder, 'x', '4']);
    let isOver = false;
    const over = sealing.then(() => (isOver = true));
    while (!isOver) {
      const { differences } = await verify(run, { expected: [] });
      // A seal is there before its record is.
      expect(differences.filter(({ code }) => code !== 'file-missing')).toEqual([]);
    }
    await over;
    expect(await findings(run)).toEqual([]);
  });
});

describe('a process that is killed while it seals', () => {
  // The head: two renames; the seal: a rename and a link. After one of them is before the next.
  it.each([
    [1, 'before', 'SIGKILL'],
    [2, 'before', 'SIGKILL'],
    [3, 'before', 'SIGKILL'],
    [4, 'before', 'SIGKILL'],
    [4, 'after', 'SIGKILL'],
    [5, 'before', 'sealed'],
  ] as const)(
    'leaves a chain that the next one goes on with (step %i, %s: %s)',
    async (step, when, outcome) => {
      const run = await sealedRun(['a']);
      const { signal, output } = await die(run, ['b', LATER, String(step), when]);
      expect(signal ?? output).toBe(outcome);
      expect(await codesBesidesMissing(run)).toEqual([]);
      await settleAttempt(run, await runAttempt(run.runDirectory, 'c'));
      await settleAttempt(run, { ...(await runAttempt(run.runDirectory, 'b')), finishedAt: LATER });
      const { differences, seals, superseded } = await verify(run);
      expect({ differences, seals, superseded }).toEqual({ differences: [], seals: 3, superseded: 0 });
      expect(await leftovers(run)).toEqual([]);
    },
    SLOW_MS,
  );

  it('leaves the superseded seal or the next one, never neither', { timeout: SLOW_MS }, async () => {
    const outcomes: string[] = [];
    for (let step = 1; outcomes.at(-1) !== 'sealed'; step += 1) {
      const run = await sealedRun(['a']);
      await sealOnly(run, await runAttempt(run.runDirectory, 'b'));
      const { signal, output } = await die(run, ['b', LATER, String(step), 'before']);
      outcomes.push(signal ?? output);
      expect(await sealOf(run, 'b')).toBeDefined();
      await settleAttempt(run, await runAttempt(run.runDirectory, 'c'));
      await settleAttempt(run, { ...(await runAttempt(run.runDirectory, 'b')), finishedAt: LATER });
      expect(await verify(run)).toMatchObject({ differences: [], seals: 4, superseded: 1 });
    }
    expect(outcomes.length).toBeGreaterThan(5);
  });

  it('leaves, between head and seal, a head from which the next one makes the seal', async () => {
    const run = await sealedRun(['a', 'b']);
    const seal = join(run.runDirectory, 'seals', 'inv-b%3aseal-1.json');
    const text = await readFile(seal, 'utf8');
    await rm(seal);
    expect(await findings(run)).toContain('seal-missing seals/inv-b%3aseal-1.json');
    await settleAttempt(run, await runAttempt(run.runDirectory, 'c'));
    expect(await readFile(seal, 'utf8')).toBe(text);
    expect(await findings(run)).toEqual([]);
  });
});

describe('sealing', () => {
  it('never replaces a seal that was changed, so that verifying still finds it', async () => {
    const run = await sealedRun(['a', 'b']);
    const path = join(run.runDirectory, 'seals', 'inv-b%3aseal-1.json');
    await writeFile(path, 'something else');
    await settleAttempt(run, await runAttempt(run.runDirectory, 'c'));
    expect(await readFile(path, 'utf8')).toBe('something else');
    expect(await findings(run)).toContain('seal-damaged seals/inv-b%3aseal-1.json');
  });

  it('refuses to begin a second chain where the head is gone', async () => {
    const run = await sealedRun(['a']);
    await rm(join(run.runDirectory, HEAD_FILE));
    const record = await runAttempt(run.runDirectory, 'b');
    expect(await codeOf(appendSeal(run.runDirectory, inputOf(record), run))).toBe('CHAIN_HEAD_MISSING');
  });

  it("refuses to seal into another run's chain", async () => {
    const run = await sealedRun(['a']);
    const record = { ...(await runAttempt(run.runDirectory, 'b')), runId: 'r-2' } as DispatchRecord;
    expect(await codeOf(appendSeal(run.runDirectory, inputOf(record), run))).toBe('RUN_DIFFERS');
  });

  it('says that somebody else seals where the lock stays held', async () => {
    const run = await sealedRun(['a']);
    const record = await runAttempt(run.runDirectory, 'b');
    await withLock(chainLockPathOf(run.runDirectory), {}, async () => {
      const waiting = appendSeal(run.runDirectory, inputOf(record), { ...run, lock: { timeoutMs: 0 } });
      expect(await codeOf(waiting)).toBe('LOCK_TIMEOUT');
    });
  });

  it('seals anew what a sealer of another kind had sealed', async () => {
    const run = await sealedRun(['a']);
    const record = await runAttempt(run.runDirectory, 'a');
    const unsigned = { ...run, sealer: createUnsignedSealer({ reason: 'no isolation' }) };
    expect(await settleAttempt(unsigned, record)).toMatchObject({ sequence: 2, isSigned: false, isNew: true });
    expect(await verify(run, { acceptUnsigned: true })).toMatchObject({ differences: [], signed: 1, superseded: 1 });
  });

  it('EV-3 says why an attempt could not be sealed, and never rejects', async () => {
    const run = await sealedRun(['a']);
    const record = await runAttempt(run.runDirectory, 'b');
    const attempt = { runDirectory: run.runDirectory, record, further: [] };
    const recordFile = { name: recordFileOf(record), digest: digestOfBytes('') };
    const noKey = await sealSettledAttempt({
      ...attempt,
      recordFile,
      sealer: () => Promise.reject(new Error('no key')),
    });
    expect(noKey).toEqual({ kind: 'unsealed', reason: 'no key' });
    await writeFile(join(run.runDirectory, HEAD_FILE), '{}');
    const noHead = await sealSettledAttempt({ ...attempt, recordFile, sealer: async () => run.sealer });
    expect(noHead).toMatchObject({ kind: 'unsealed', reason: expect.stringContaining(HEAD_FILE) });
  });

  it('does not read what a symlink in the place of a file leads to', async () => {
    const run = await emptyRun();
    const record = await runAttempt(run.runDirectory, 'a');
    const log = join(run.runDirectory, 'logs');
    await rename(log, `${run.runDirectory}-elsewhere`);
    await import('node:fs/promises').then(({ symlink }) => symlink(`${run.runDirectory}-elsewhere`, log));
    await expect(sealOnly(run, record)).rejects.toThrow(/does not lie in/);
  });
});

function sealOf({ runDirectory }: TestRun, worker: string) {
  return readSeal(runDirectory, sampleRecord({ runDirectory, worker }));
}

function inputOf(record: DispatchRecord) {
  return buildStatement(record, { recordFile: { name: recordFileOf(record), digest: digestOfBytes('') }, files: [] });
}

function die({ runDirectory, keyFolder }: TestRun, args: readonly string[]) {
  return runProgram('seal-and-die', [runDirectory, keyFolder, ...args]);
}

/** What is wrong with a run just after a kill, besides what isn't there yet: the record, and the seal that the head holds. */
async function codesBesidesMissing(run: TestRun): Promise<readonly string[]> {
  const missing = ['file-missing', 'seal-missing', 'head-differs'];
  return (await findings(run)).filter((finding) => !missing.some((code) => finding.startsWith(code)));
}

async function leftovers({ runDirectory }: TestRun): Promise<readonly string[]> {
  const names = readdirSync(join(runDirectory, 'seals')).filter((name) => !isStagingName(name));
  return names.filter((name) => !/^(?:head|inv-[abc]%3aseal-1)\.json$/.test(name));
}
