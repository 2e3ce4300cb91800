import { readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { digestOfBytes } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSealer, type ExpectedSeal, type SealFile, verifySealChain } from '../src/index.ts';
import { putFile, runAttempt, sealOnly, settleAttempt } from './support/settle.ts';
import { tempFolder } from './support/temp-folder.ts';
import { emptyRun, expectedOf, findings, sealedRun, type TestRun, verify } from './support/test-run.ts';

const SEAL_A = 'seals/inv-a%3aseal-1.json';
const SEAL_B = 'seals/inv-b%3aseal-1.json';
const SEAL_C = 'seals/inv-c%3aseal-1.json';
const HEAD = 'seals/head.json';
const RECORD_B = 'dispatches/inv-b~1%3aattempt-1.json'.replace('~', '%7e');

const SLOW_MS = 240_000;

describe.each(['signed', 'unsigned'] as const)('of a %s run', (signing) => {
  it('every byte of every file counts: changed, it is found and the file is named', { timeout: SLOW_MS }, async () => {
    const run = await sealedRun(['a', 'b', 'c'], signing);
    const files = filesOf(run.runDirectory);
    expect(files).toHaveLength(2 + 3 * 8 + 1);
    const change = fc.record({ file: fc.constantFrom(...files), at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(change, async ({ file, at, mask }) => {
        await withChange(
          run,
          file,
          (bytes) => flip(bytes, at, mask),
          async () => {
            expect((await verify(run, { expected: run.expected })).differences.map((one) => one.file)).toContain(file);
          },
        );
      }),
      { numRuns: Number(process.env['BAILIWICK_FUZZ_RUNS'] ?? 12) },
    );
    expect(await findings(run, run)).toEqual([]);
  });

  it('every file counts: gone, cut short or exchanged for another, it is found and named', {
    timeout: SLOW_MS,
  }, async () => {
    const run = await sealedRun(signing === 'signed' ? ['a', 'b'] : ['a'], signing);
    const files = filesOf(run.runDirectory);
    for (const file of files) {
      const named = async () => expect((await verify(run, run)).differences.map((one) => one.file)).toContain(file);
      await withChange(run, file, () => undefined, named);
      await withChange(run, file, (bytes) => bytes.subarray(0, -1), named);
      await withChange(run, file, (bytes) => Buffer.concat([bytes, Buffer.from('\n')]), named);
      const other = files.find((name) => !readFileSync(join(run.runDirectory, name)).equals(bytesOf(run, file)));
      await withChange(run, file, () => bytesOf(run, other ?? ''), named);
    }
    expect(await findings(run, run)).toEqual([]);
  });
});

/** A prime, so that no part of a seal is left out; with BAILIWICK_FUZZ_RUNS every byte is taken. */
const BYTE_STEP = process.env['BAILIWICK_FUZZ_RUNS'] === undefined ? 31 : 1;

describe('each byte of a signed seal', () => {
  it('counts, whichever it is', { timeout: SLOW_MS }, async () => {
    const run = await sealedRun(['a']);
    const bytes = bytesOf(run, SEAL_A);
    for (let at = 0; at < bytes.length; at += BYTE_STEP) {
      const text = flip(bytes, at, 1 + (at % 7)).toString('latin1');
      const seals: readonly SealFile[] = [{ file: SEAL_A, text }];
      const { differences } = await verifySealChain({ ...run, seals, head: undefined, readArtifact: () => undefined });
      const codes = differences.filter(({ file }) => file === SEAL_A).map(({ code }) => code);
      expect(codes, `byte ${at}`).toSatisfy((found: string[]) =>
        found.some((code) => /damaged|signature|key/.test(code)),
      );
    }
  });
});

describe('verifying names', () => {
  let shared: TestRun & { readonly expected: readonly ExpectedSeal[] };
  beforeAll(async () => {
    const run = await sealedRunElsewhere();
    shared = run;
    return () => rm(join(run.runDirectory, '..', '..'), { recursive: true });
  });

  it('a signature that is not its key’s', async () => {
    const run = await copyOf(shared);
    const envelope = JSON.parse(bytesOf(run, SEAL_B).toString());
    const forged = {
      ...envelope,
      payload: Buffer.from(statementOf(envelope).replace('"ok"', '"no"')).toString('base64'),
    };
    await putFile(run.runDirectory, SEAL_B, textOf(forged));
    expect(await findings(run, run)).toEqual(
      expect.arrayContaining([`signature-bad ${SEAL_B}`, `chain-broken ${SEAL_B}`, `statement-differs ${SEAL_B}`]),
    );
  });

  it('a signature that was taken away, and one that was put in its place', async () => {
    const run = await copyOf(shared);
    const envelope = JSON.parse(bytesOf(run, SEAL_C).toString());
    await putFile(run.runDirectory, SEAL_C, textOf({ ...envelope, signatures: [] }));
    expect(await findings(run, { ...run, acceptUnsigned: true })).toContain(`signature-bad ${SEAL_C}`);
    const [signature] = JSON.parse(bytesOf(run, SEAL_A).toString()).signatures;
    await putFile(run.runDirectory, SEAL_C, textOf({ ...envelope, signatures: [signature] }));
    expect(await findings(run, run)).toContain(`signature-bad ${SEAL_C}`);
  });

  it('the key of a stranger, even where everything else agrees', async () => {
    const run = await copyOf(shared);
    const stranger = await createSealer({ keyFolder: await tempFolder(), workerRoots: [] });
    const { differences } = await verify(run, { ...run, publicKeys: [stranger.publicKey] });
    expect(differences.map(({ code, file }) => `${code} ${file}`)).toEqual(
      [SEAL_A, SEAL_B, SEAL_C].map((file) => `key-unknown ${file}`),
    );
    expect(await findings(run, { ...run, publicKeys: [] })).toHaveLength(3);
  });

  it('a whole run that somebody sealed anew with a key of their own', async () => {
    const run = await emptyRun();
    const forger = await createSealer({ keyFolder: await tempFolder(), workerRoots: [] });
    await settleAttempt({ ...run, sealer: forger }, await runAttempt(run.runDirectory, 'a'));
    expect(await findings(run)).toEqual([`key-unknown ${SEAL_A}`]);
  });

  it('an unsigned seal, unless that is accepted', async () => {
    const run = await sealedRun(['a'], 'unsigned');
    expect(await findings(run, { ...run, acceptUnsigned: false })).toEqual([`unsigned ${SEAL_A}`]);
    expect(await findings(run, { ...run, acceptUnsigned: true })).toEqual([]);
  });

  it.each([
    ['the first', SEAL_A],
    ['one in the middle', SEAL_B],
    ['the last', SEAL_C],
  ])('a seal that is gone: %s', async (_, file) => {
    const run = await copyOf(shared);
    await rm(join(run.runDirectory, file));
    expect(await findings(run, { ...run, expected: [] })).toContain(`seal-missing ${file}`);
    expect(await findings(run, run)).toContain(`seal-missing ${file}`);
  });

  it('all seals gone, by the records that name them', async () => {
    const run = await copyOf(shared);
    await rm(join(run.runDirectory, 'seals'), { recursive: true });
    expect(await findings(run, run)).toEqual([SEAL_A, SEAL_B, SEAL_C].map((file) => `seal-missing ${file}`));
  });

  it('a chain that was cut off at its end together with its records, where a digest was noted before', async () => {
    const run = await copyOf(shared);
    const { last } = await verify(run, run);
    await rm(join(run.runDirectory, SEAL_C));
    await copyFile(join(run.runDirectory, SEAL_B), join(run.runDirectory, HEAD));
    await rm(join(run.runDirectory, 'dispatches', 'inv-c%7e1%3aattempt-1.json'));
    expect(await findings(run)).toEqual([]);
    expect(await findings(run, { anchors: last === null ? [] : [last.digest] })).toEqual([`anchor-missing ${HEAD}`]);
  });

  it('a head that is gone, or that is an earlier seal', async () => {
    const run = await copyOf(shared);
    await copyFile(join(run.runDirectory, SEAL_B), join(run.runDirectory, HEAD));
    expect(await findings(run, run)).toEqual([`head-differs ${HEAD}`, `chain-broken ${SEAL_C}`]);
    await rm(join(run.runDirectory, HEAD));
    expect(await findings(run, run)).toEqual([`head-differs ${HEAD}`]);
  });

  it('two seals under each other’s names', async () => {
    const run = await copyOf(shared);
    await swap(run, SEAL_A, SEAL_B);
    expect(await findings(run, run)).toEqual([`seal-misplaced ${SEAL_A}`, `seal-misplaced ${SEAL_B}`]);
  });

  it('a seal of another run among them', async () => {
    const run = await copyOf(shared);
    const record = { ...(await runAttempt(run.runDirectory, 'd')), runId: 'r-2' } as Parameters<typeof sealOnly>[1];
    const other = await emptyRun();
    await runAttempt(other.runDirectory, 'd');
    await sealOnly({ ...run, runDirectory: other.runDirectory }, record);
    await copyFile(
      join(other.runDirectory, 'seals/inv-d%3aseal-1.json'),
      join(run.runDirectory, 'seals/inv-d%3aseal-1.json'),
    );
    const found = await findings(run, run);
    expect(found).toContain('chain-broken seals/inv-d%3aseal-1.json');
  });

  it('an artifact with other bytes, with the digests of both', async () => {
    const run = await copyOf(shared);
    await putFile(run.runDirectory, 'results/b-1/result.json', '{"worker":"b", "verdict":"pass"}\n');
    const { differences } = await verify(run, run);
    expect(differences).toEqual([
      {
        code: 'file-differs',
        file: 'results/b-1/result.json',
        message: 'has other bytes than were sealed',
        sealKey: 'inv-b:seal-1',
        expected: digestOfBytes('{"worker":"b"}\n'),
        found: digestOfBytes('{"worker":"b", "verdict":"pass"}\n'),
      },
    ]);
  });

  it('an artifact that is gone, and a file that is there where there was none', async () => {
    const run = await copyOf(shared);
    await rm(join(run.runDirectory, 'results/b-1/result.json'));
    await putFile(run.runDirectory, 'logs/b.log.1', 'older output\n');
    expect((await findings(run, run)).toSorted()).toEqual([
      'file-differs logs/b.log.1',
      'file-missing results/b-1/result.json',
    ]);
  });

  it('an artifact that is a link to its own bytes', async () => {
    const run = await copyOf(shared);
    const path = join(run.runDirectory, 'results/b-1/result.json');
    await rename(path, `${run.runDirectory}-moved`);
    await symlink(`${run.runDirectory}-moved`, path);
    expect(await findings(run, run)).toEqual(['file-unreadable results/b-1/result.json']);
  });

  it('ST-6 a record that says something else than its seal, field by field', async () => {
    const run = await copyOf(shared);
    const text = bytesOf(run, RECORD_B).toString();
    await putFile(run.runDirectory, RECORD_B, text.replace('"exitCode": 0', '"exitCode": 1'));
    const { differences } = await verify(run);
    expect(differences).toMatchObject([
      { code: 'statement-differs', file: SEAL_B, fields: ['/lifecycle/exitCode'] },
      { code: 'file-differs', file: RECORD_B },
    ]);
  });

  it('a record whose artifacts are others than were sealed', async () => {
    const run = await copyOf(shared);
    const expected = run.expected.map((one) => ({ ...one, artifacts: [] }));
    const { differences } = await verify(run, { ...run, expected });
    expect(differences.map(({ fields }) => fields)).toEqual(
      ['a', 'b', 'c'].map((worker) => [`/subject/results/${worker}-1/result.json`]),
    );
  });

  it('EV-3 an attempt that could not be sealed, with the reason', async () => {
    const run = await copyOf(shared);
    const expected = run.expected.map((one) => ({ ...one, unsealedReason: 'the disk was full' }));
    const { differences } = await verify(run, { ...run, expected });
    expect(differences[1]).toMatchObject({ code: 'attempt-unsealed', file: RECORD_B, message: /disk was full/ });
  });

  it('an attempt whose settlement was cut off between seal and record, once', async () => {
    const run = await copyOf(shared);
    const expected = run.expected.map((one) => ({ ...one, isSettled: one.recordFile !== RECORD_B }));
    await putFile(run.runDirectory, RECORD_B, '{}');
    expect(await findings(run, { ...run, expected })).toEqual([`attempt-unsettled ${RECORD_B}`]);
  });

  it('a superseded seal that is gone, or that nothing superseded', async () => {
    const run = await emptyRun();
    await sealOnly(run, await runAttempt(run.runDirectory, 'a'));
    await settleAttempt(run, { ...(await runAttempt(run.runDirectory, 'a')), finishedAt: '2026-11-29T17:00:00.000Z' });
    const [kept = ''] = filesOf(run.runDirectory).filter((name) => name.includes('superseded'));
    expect(await findings(run)).toEqual([]);
    await rename(join(run.runDirectory, kept), join(run.runDirectory, kept.replace('superseded-', 'superseded-0')));
    expect(await findings(run)).toEqual([`seal-misplaced ${kept.replace('superseded-', 'superseded-0')}`]);
    await rm(join(run.runDirectory, kept.replace('superseded-', 'superseded-0')));
    expect(await findings(run)).toEqual([`seal-missing ${SEAL_A}`]);
  });

  it('a file among the seals that is none, and a seal of a newer version', async () => {
    const run = await copyOf(shared);
    await putFile(run.runDirectory, 'seals/note.txt', 'hello');
    await putFile(run.runDirectory, 'seals/other.json', '{}');
    await putFile(run.runDirectory, SEAL_A, bytesOf(run, SEAL_A).toString().replace('"1.0"', '"9.0"'));
    const { differences } = await verify(run, run);
    expect(differences.map(({ code, file }) => `${code} ${file}`).toSorted()).toEqual([
      `seal-damaged ${SEAL_A}`,
      'seal-damaged seals/other.json',
      'unexpected-file seals/note.txt',
    ]);
    expect(differences.find(({ file }) => file === SEAL_A)?.message).toMatch(/9\.0/);
  });

  it('nothing outside the run, whatever a forged seal says', async () => {
    const run = await sealedRun(['a'], 'unsigned');
    const envelope = JSON.parse(bytesOf(run, SEAL_A).toString());
    const payload = Buffer.from(statementOf(envelope).replace('"logs/a.log"', '"../../keys"')).toString('base64');
    await putFile(run.runDirectory, SEAL_A, textOf({ ...envelope, payload }));
    const { differences } = await verify(run, run);
    expect(differences[0]).toMatchObject({
      code: 'seal-damaged',
      file: SEAL_A,
      message: /below the folder of the run/,
    });
  });
});

describe('a sound run', () => {
  it('verifies in a copy elsewhere, with nothing but the public key', async () => {
    const run = await sealedRun(['a', 'b']);
    const runDirectory = join(await tempFolder(), 'copied');
    await cp(run.runDirectory, runDirectory, { recursive: true });
    await rm(run.keyFolder, { recursive: true });
    const copied = { ...run, runDirectory };
    expect(await findings(copied, { expected: run.expected })).toEqual([]);
  });

  it('is not changed by verifying', async () => {
    const run = await sealedRun(['a', 'b']);
    await putFile(run.runDirectory, SEAL_A, 'damaged');
    const before = filesOf(run.runDirectory);
    await verify(run);
    expect(filesOf(run.runDirectory)).toEqual(before);
    expect(await readFile(join(run.runDirectory, SEAL_A), 'utf8')).toBe('damaged');
  });

  it('refuses to verify with what is no public key', async () => {
    const run = await sealedRun(['a']);
    const privateKey = await readFile(join(run.keyFolder, 'sealing-key.pem'), 'utf8');
    for (const key of ['', 'no key', privateKey])
      await expect(verify(run, { publicKeys: [key] })).rejects.toMatchObject({ code: 'KEY_DAMAGED' });
  });

  it('without any seal says so by its counts', async () => {
    const run = await emptyRun();
    const found = await verify(run, { expected: [] });
    expect(found).toEqual({ differences: [], seals: 0, signed: 0, unsigned: 0, superseded: 0, last: null });
  });
});

// Not by sealedRun alone: its folder would end with the first test.
async function sealedRunElsewhere() {
  const { mkdtemp } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const folder = await mkdtemp(join(tmpdir(), 'attempt-evidence-'));
  const runDirectory = join(folder, 'runs', 'r-1');
  const sealer = await createSealer({ keyFolder: join(folder, 'keys'), workerRoots: [] });
  const run = { runDirectory, keyFolder: join(folder, 'keys'), sealer, publicKeys: [sealer.publicKey] };
  await putFile(runDirectory, 'run-manifest.json', '{"runId":"r-1"}\n');
  await putFile(runDirectory, 'snapshots/b1.snap', 'a baseline\n');
  for (const worker of ['a', 'b', 'c']) await settleAttempt(run, await runAttempt(runDirectory, worker));
  return { ...run, expected: await expectedOf(run) };
}

async function copyOf(run: TestRun & { readonly expected: readonly ExpectedSeal[] }): Promise<typeof run> {
  const runDirectory = join(await tempFolder(), 'r-1');
  await cp(run.runDirectory, runDirectory, { recursive: true, filter: (path) => !path.endsWith('locks') });
  return { ...run, runDirectory };
}

/** Every file of a run but its locks, by name. */
function filesOf(runDirectory: string): readonly string[] {
  return readdirSync(runDirectory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('locks') && statSync(join(runDirectory, name)).isFile())
    .map((name) => relative(runDirectory, join(runDirectory, name)))
    .sort();
}

function bytesOf({ runDirectory }: TestRun, file: string): Buffer {
  return readFileSync(join(runDirectory, file));
}

function flip(bytes: Buffer, at: number, mask: number): Buffer {
  const changed = Buffer.from(bytes);
  const index = at % bytes.length;
  changed[index] = (changed[index] ?? 0) ^ mask;
  return changed;
}

/** Changes a file (undefined: takes it away), does something, and puts it back. */
async function withChange(
  { runDirectory }: TestRun,
  file: string,
  change: (bytes: Buffer) => Buffer | undefined,
  use: () => Promise<unknown>,
): Promise<void> {
  const path = join(runDirectory, file);
  const bytes = await readFile(path);
  const changed = change(bytes);
  await (changed === undefined ? rm(path) : writeFile(path, changed));
  try {
    await use();
  } finally {
    await writeFile(path, bytes);
  }
}

async function swap(run: TestRun, one: string, other: string): Promise<void> {
  const [a, b] = [bytesOf(run, one), bytesOf(run, other)];
  await putFile(run.runDirectory, one, b);
  await putFile(run.runDirectory, other, a);
}

function statementOf(envelope: { readonly payload: string }): string {
  return Buffer.from(envelope.payload, 'base64').toString();
}

function textOf(envelope: unknown): string {
  return `${JSON.stringify(envelope, null, 2)}\n`;
}
