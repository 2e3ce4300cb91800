import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DispatchRecord, dispatchRecordCodec } from '@bailiwick/dispatch-state';
import { digestOfBytes, digestOfFile, writeDocument } from '@bailiwick/durable-files';
import { sealKeyOf } from '@bailiwick/execution-identity';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { describe, expect, it } from 'vitest';
import {
  attemptFileNames,
  buildStatement,
  decodeSeal,
  digestToBeWritten,
  readSeal,
  type Seal,
  sealFileOf,
  sigstoreBundleOf,
} from '../src/index.ts';
import { sampleRecord } from './support/sample-record.ts';
import { recordFileOf, runAttempt, settleAttempt } from './support/settle.ts';
import { tempFolder } from './support/temp-folder.ts';
import { emptyRun, type TestRun } from './support/test-run.ts';

const SHA256 = /^[0-9a-f]{64}$/;

describe('a sealed attempt', () => {
  it('EV-3 states identity, policy, prompt, states before and after, changes, verdict, model and artifacts', async () => {
    const { seal, record } = await sealOne(await emptyRun());
    const { subject, predicate } = seal.statement;
    expect(subject.map(({ name }) => name)).toEqual([recordFileOf(record), 'results/a-1/result.json']);
    expect(subject[1]?.digest.sha256).toBe(digestOfBytes('{"worker":"a"}\n').slice(7));
    expect(predicate.attempt).toMatchObject({
      identity: {
        runId: 'r-1',
        invocationRef: 'inv-a',
        attempt: 1,
        dispatchId: record.dispatchId,
        role: 'implementer',
      },
      policyDigest: record.writePolicyDigest,
      promptDigest: record.inputDigest,
      enforcement: { keyIsolation: 'none', boundary: 'none' },
      servedModel: { level: 'exact', source: 'stream', deviates: false },
      lifecycle: { end: 'exited', exitCode: 0, endProof: 'search' },
      audit: { verdict: 'ok', beforeDigest: digestOfBytes('tree before'), afterDigest: digestOfBytes('tree after') },
    });
    expect(predicate.attempt.audit?.changedPaths.map(({ path }) => path)).toEqual(['src/a.ts', { pathBytes: '/w==' }]);
  });

  it('ST-8 states the source digest and both session ids, which a verdict and its independence rest on', async () => {
    const { seal, record } = await sealOne(await emptyRun());
    expect(seal.statement.predicate.attempt).toMatchObject({
      sourceDigest: record.sourceDigest,
      session: { given: 'session-1', reported: 'session-1' },
    });
  });

  it('MA-1 names the baseline and the other files that the attempt stands on, and those that were not there', async () => {
    const { seal } = await sealOne(await emptyRun());
    expect(Object.fromEntries(seal.statement.predicate.files.map(({ name, digest }) => [name, digest]))).toEqual({
      'run-manifest.json': digestOfBytes('{"runId":"r-1"}\n'),
      'invocations/a.json': digestOfBytes('{}\n'),
      'prompts/a.md': digestOfBytes('**Role:** implementer\n'),
      'prompts/a.md.meta.json': digestOfBytes('{}\n'),
      'sidecars/a.json': digestOfBytes('{"stage":"exited"}\n'),
      'logs/a.log': digestOfBytes('working\ndone\n'),
      'logs/a.log.1': null,
      'snapshots/b1.snap': digestOfBytes('a baseline\n'),
    });
  });

  it('ID-5 is keyed by invocationRef and attempt, and lies under that key', async () => {
    const run = await emptyRun();
    const { seal, record } = await sealOne(run);
    const key = sealKeyOf(record.invocationRef, record.attempt);
    expect(seal.statement.predicate.sealKey).toBe(key);
    expect(sealFileOf(key)).toBe('seals/inv-a%3aseal-1.json');
    expect(await readFile(join(run.runDirectory, sealFileOf(key)), 'utf8')).toBe(seal.text);
  });

  it('states the digest of the record that is written after it', async () => {
    const run = await emptyRun();
    const { seal, record } = await sealOne(run);
    const onDisk = await digestOfFile(join(run.runDirectory, recordFileOf(record)));
    expect(`sha256:${seal.statement.subject[0]?.digest.sha256}`).toBe(onDisk);
    expect(await writeDocument(join(run.runDirectory, 'x.json'), dispatchRecordCodec, record)).toBe(
      digestToBeWritten(dispatchRecordCodec, record),
    );
  });

  it('is an in-toto Statement in a DSSE envelope', async () => {
    const { seal } = await sealOne(await emptyRun());
    const stored = JSON.parse(seal.text);
    expect(stored).toMatchObject({ schemaVersion: '1.0', payloadType: 'application/vnd.in-toto+json' });
    expect(JSON.parse(Buffer.from(stored.payload, 'base64').toString())).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://bailiwick.dev/attempt/v1',
      subject: [{ digest: { sha256: expect.stringMatching(SHA256) } }, { digest: {} }],
    });
  });

  it('keeps text that is no sound Unicode, such as an agent can print', async () => {
    const { seal } = await sealOne(await emptyRun());
    expect(seal.statement.predicate.attempt.audit?.violations[0]?.message).toBe('half a pair: \ud800');
  });

  it('of an attempt that never started says null for what was not seen', async () => {
    const run = await emptyRun();
    const nothing = {
      lifecycle: null,
      result: null,
      servedModel: null,
      contract: null,
      mutationAuditSnapshotPath: null,
    };
    const record: DispatchRecord = { ...sampleRecord({ runDirectory: run.runDirectory, worker: 'a' }), ...nothing };
    const { attempt } = buildStatement(record, filesOf(record));
    expect(attempt).toMatchObject({ lifecycle: null, result: null, servedModel: null, audit: null });
  });

  it('leaves files outside the run out', () => {
    const record = { ...sampleRecord({ runDirectory: '/state/r-1', worker: 'a' }), promptPath: '/project/task.md' };
    const names = attemptFileNames(record, { runDirectory: '/state/r-1', further: ['/state/r-10/x', '/state/r-1/y'] });
    expect(names).toEqual(expect.arrayContaining(['y', 'logs/a.log']));
    expect(names.filter((name) => name.includes('task') || name.includes('r-10'))).toEqual([]);
  });
});

describe('a signature', () => {
  it('is ed25519 over the pre-authentication encoding, as made by hand', async () => {
    const run = await emptyRun();
    const { envelope } = (await sealOne(run)).seal;
    const body = Buffer.from(envelope.payload, 'base64');
    const { payloadType } = envelope;
    const encoded = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body]);
    const signature = Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64');
    expect(verifyBytes(null, encoded, createPublicKey(run.publicKeys[0] ?? ''), signature)).toBe(true);
    expect(verifyBytes(null, body, createPublicKey(run.publicKeys[0] ?? ''), signature)).toBe(false);
  });

  it('is accepted by the Sigstore verifier, and no longer after a change of the statement', async () => {
    const run = await emptyRun();
    const { seal } = await sealOne(run);
    const bundle = await sigstoreBundleOf(seal);
    if (bundle?.dsseEnvelope === undefined) throw new Error('the seal is unsigned');
    expect(() => sigstoreVerify(run, bundle)).not.toThrow();
    const payload = Buffer.from(seal.envelope.payload, 'base64').toString().replace('"ok"', '"OK"');
    const forged = {
      ...bundle,
      dsseEnvelope: { ...bundle.dsseEnvelope, payload: Buffer.from(payload).toString('base64') },
    };
    expect(() => sigstoreVerify(run, forged)).toThrow(/signature/i);
  });

  it('is absent from an unsigned seal, which says so and why', async () => {
    const { seal } = await sealOne(await emptyRun('unsigned'));
    expect(JSON.parse(seal.text).signatures).toEqual([]);
    expect(seal.statement.predicate.signing).toEqual({ algorithm: 'none', reason: 'no isolation' });
    expect(await sigstoreBundleOf(seal)).toBeNull();
  });
});

describe('reading a seal', () => {
  it('gives nothing where there is none, and a coded error that leaves a damaged file where it is', async () => {
    const runDirectory = await tempFolder();
    const owner = sampleRecord({ runDirectory, worker: 'a' });
    expect(await readSeal(runDirectory, owner)).toBeUndefined();
    const run = await emptyRun();
    const { seal } = await sealOne(run);
    const path = join(run.runDirectory, sealFileOf(seal.statement.predicate.sealKey));
    await writeFile(path, seal.text.replace('\n', '\n '));
    await expect(readSeal(run.runDirectory, owner)).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED', path });
    expect(await readFile(path, 'utf8')).toContain('\n ');
  });

  it('gives back what was written', async () => {
    const { seal } = await sealOne(await emptyRun());
    expect(decodeSeal(seal.text, 'x')).toEqual(seal);
  });
});

async function sealOne(run: TestRun): Promise<{ readonly seal: Seal; readonly record: DispatchRecord }> {
  const record = await runAttempt(run.runDirectory, 'a');
  await settleAttempt(run, record);
  const seal = await readSeal(run.runDirectory, record);
  if (seal === undefined) throw new Error('no seal');
  return { seal, record };
}

function filesOf(record: DispatchRecord) {
  return { recordFile: { name: recordFileOf(record), digest: digestOfBytes('') }, files: [] };
}

function sigstoreVerify({ publicKeys }: TestRun, bundle: unknown): void {
  const publicKey = createPublicKey(publicKeys[0] ?? '');
  const root = { mediaType: '', tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] };
  const trust = toTrustMaterial(root, () => ({ publicKey, validFor: () => true }));
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
  verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
}
