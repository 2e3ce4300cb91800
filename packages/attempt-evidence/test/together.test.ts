import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isStagingName } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { PENDING_FILE, readSeal } from '../src/index.ts';
import { asBeforeEachStep } from './support/as-before-each-step.ts';
import { runProgram } from './support/child-program.ts';
import { sampleRecord } from './support/sample-record.ts';
import { runAttempt, sealTogether, writeRecords } from './support/settle.ts';
import { emptyRun, findings, sealedRun, type TestRun, verify } from './support/test-run.ts';

const EARLIER = '2026-11-29T16:08:00.000Z';
const LATER = '2026-11-29T16:09:00.000Z';
const WORKERS = ['b', 'c', 'd'];
// At least: two for the list, each seal and the head, and the list's removal.
const STEPS = 2 * (WORKERS.length + 2);
// Each step starts programs of its own and waits for disk flushes.
const SLOW_MS = 240_000;

describe('seals that are appended together', () => {
  it.each([[[]], [['a']]])('are one chain in their order, after %j', async (before) => {
    const run = await sealedRun(before);
    const records = await recordsOf(run);
    expect((await sealTogether(run, records)).map(({ kind }) => kind)).toEqual(['sealed', 'sealed', 'sealed']);
    await writeRecords(run.runDirectory, records);
    const first = before.length + 1;
    const chains = await Promise.all(WORKERS.map((worker) => sealOf(run, worker)));
    expect(chains.map((seal) => seal?.statement.predicate.chain.sequence)).toEqual([first, first + 1, first + 2]);
    expect(await verify(run)).toMatchObject({ differences: [], seals: first + 2, last: { sequence: first + 2 } });
    expect(await leftovers(run)).toEqual([]);
  });

  it('are sealed once where they are sealed again with the same content', async () => {
    const run = await emptyRun();
    const records = await recordsOf(run);
    await sealTogether(run, records);
    const again = await sealTogether(run, records);
    expect(again).toMatchObject(WORKERS.map(() => ({ kind: 'sealed', receipt: { isNew: false } })));
    expect(await verify(run, { expected: [] })).toMatchObject({ seals: 3 });
  });

  it('EV-3 hold one another up in nothing: one that can’t be sealed says why', async () => {
    const run = await sealedRun(['a']);
    await writeFile(join(run.runDirectory, 'seals', 'inv-c%3aseal-1.json'), 'something else');
    const records = await recordsOf(run);
    const outcomes = await sealTogether(run, records);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['sealed', 'unsealed', 'sealed']);
    await writeRecords(
      run.runDirectory,
      records.filter((_, at) => at !== 1),
    );
    expect(await findings(run)).toEqual(['seal-damaged seals/inv-c%3aseal-1.json']);
  });

  it('are not taken from a list that does not continue the chain', async () => {
    const [run, other] = [await sealedRun(['a']), await sealedRun(['c', 'd'])];
    expect((await die(other, 4)).signal).toBe('SIGKILL');
    const list = join(other.runDirectory, PENDING_FILE);
    expect(existsSync(list)).toBe(true);
    await import('node:fs/promises').then(({ copyFile }) => copyFile(list, join(run.runDirectory, PENDING_FILE)));
    const [outcome] = await sealTogether(run, [await runAttempt(run.runDirectory, 'x')]);
    expect(outcome).toMatchObject({ kind: 'unsealed', reason: expect.stringContaining('do not continue the chain') });
    expect((await findings(run)).length).toBeGreaterThan(0);
    await rm(join(run.runDirectory, PENDING_FILE));
    expect(await findings(run)).toEqual([]);
  });
});

describe('a process that is killed while it seals several', () => {
  it('leaves at every step a chain that can be verified and that the next one goes on with', {
    timeout: SLOW_MS,
  }, async () => {
    const outcomes: string[] = [];
    for (let step = 1; outcomes.at(-1) !== 'sealed'; step += 1) {
      const run = await emptyRun();
      const { signal, output } = await die(run, step);
      outcomes.push(signal ?? output);
      await expectToGoOn(run, WORKERS.length);
    }
    expect(outcomes.length).toBeGreaterThan(STEPS);
  });

  it('leaves the same of a chain that had begun, as the files were before every step', {
    timeout: SLOW_MS,
  }, async () => {
    const run = await sealedRun(['a']);
    const outcomes: string[] = [];
    for await (const outcome of asBeforeEachStep(run, { finishedAt: EARLIER, workers: WORKERS })) {
      outcomes.push(outcome);
      await expectToGoOn(run, 1 + WORKERS.length);
    }
    expect(outcomes.length).toBeGreaterThan(STEPS);
  });
});

/** Verifies what a kill left, and has the next process settle the same attempts otherwise. */
async function expectToGoOn(run: TestRun, total: number): Promise<void> {
  expect(await besidesRecords(run)).toEqual([]);
  const records = (await recordsOf(run)).map((record) => ({ ...record, finishedAt: LATER }));
  await sealTogether(run, records);
  await writeRecords(run.runDirectory, records);
  // Before the list is durable nothing was sealed; afterwards everything was, and is superseded.
  const { differences, seals, superseded } = await verify(run);
  expect({ differences, seals: seals - superseded }).toEqual({ differences: [], seals: total });
  expect([0, WORKERS.length]).toContain(superseded);
  expect(await leftovers(run)).toEqual([]);
}

function recordsOf(run: TestRun) {
  return Promise.all(WORKERS.map((worker) => runAttempt(run.runDirectory, worker)));
}

function sealOf({ runDirectory }: TestRun, worker: string) {
  return readSeal(runDirectory, sampleRecord({ runDirectory, worker }));
}

function die({ runDirectory, keyFolder }: TestRun, step: number) {
  return runProgram('seal-together-and-die', [runDirectory, keyFolder, EARLIER, String(step), ...WORKERS]);
}

/** The records are never there: their writer was killed before. */
async function besidesRecords(run: TestRun): Promise<readonly string[]> {
  return (await findings(run)).filter((finding) => !finding.startsWith('file-missing dispatches/'));
}

async function leftovers({ runDirectory }: TestRun): Promise<readonly string[]> {
  const names = readdirSync(join(runDirectory, 'seals')).filter((name) => !isStagingName(name));
  return names.filter((name) => !/^(?:head|inv-[a-d]%3aseal-1(?:\.superseded-\w+)?)\.json$/.test(name));
}
