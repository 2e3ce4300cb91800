import { join, relative } from 'node:path';
import {
  expectedSealOf,
  type SealDifference,
  type SealVerification,
  sealFileOf,
  verifyRunSeals,
} from '@bailiwick/attempt-evidence';
import { sourceDigestOf } from '@bailiwick/dispatch';
import {
  type DispatchRecord,
  invocationCodec,
  invocationPathOf,
  isTerminalStatus,
  type RunManifest,
  recordPathOf,
  workerOfRecord,
} from '@bailiwick/dispatch-state';
import { type Digest, digestOfFile, readDocument } from '@bailiwick/durable-files';
import { sealKeyOf } from '@bailiwick/execution-identity';
import { loadContract } from '@bailiwick/write-policy';
import type { StoredRun } from '../select-run.ts';
import { derivedDifferences } from './derived-differences.ts';
import { type RunDifference, RunDifferenceCode } from './difference.ts';
import { isKeptFromKey } from './sealer-for.ts';
import { type UnauditedState, unauditedDifferences, unauditedStates } from './unaudited-attempts.ts';

/** What a run is held against. */
export interface VerifyRunOptions {
  /** PEM: the keys that are trusted. */
  readonly publicKeys: readonly string[];
  /** Digests of last seals that were noted elsewhere. */
  readonly anchors: readonly Digest[];
  /** True refuses unsigned seals also of attempts whose worker could have had the key. */
  readonly requireSigned: boolean;
}

/** A verifier's verdict, and whether the source is still what it was about (ST-8). */
export interface VerdictState {
  readonly dispatchId: string;
  readonly verdict: 'pass' | 'fail';
  readonly sourceDigest: string | null;
  /** `unknown`: one of the two digests could not be had. */
  readonly state: 'current' | 'stale' | 'unknown';
}

/** What verifying a run found: nothing differs where `differences` is empty. */
export interface RunVerification extends Omit<SealVerification, 'differences'> {
  readonly runId: string;
  /** v1 jobs included. */
  readonly attempts: number;
  /** Those of them that nobody audited and sealed: nothing shows what they changed. That is no difference, unless signatures are asked for. */
  readonly unaudited: readonly UnauditedState[];
  /** Attempts that aren't settled: nothing is sealed of them yet, and that is no difference. */
  readonly unsettled: number;
  readonly differences: readonly RunDifference[];
  readonly verdicts: readonly VerdictState[];
  /** The source of the run's tree now; null where it can't be digested, as where the worktree is gone. */
  readonly sourceDigest: string | null;
}

/**
 * Recomputes every digest of a run, offline, and names each difference: seals, their chain and signatures, the files that they name,
 * records, contracts, task, and what is derived from the records. Writes nothing. A verdict whose source has changed since is shown as
 * stale, and is no difference.
 *
 * An unsigned seal counts as none only where its attempt's record says that its worker could have had the key: whoever could forge one
 * could have signed it too.
 */
export async function verifyRun(run: StoredRun, options: VerifyRunOptions): Promise<RunVerification> {
  const { layout, manifest, records } = run;
  const { publicKeys, anchors } = options;
  const expected = records.map((record) =>
    expectedSealOf(record, { recordFile: recordFileOf(run, record), unsealedReason: record.evidence?.reason ?? null }),
  );
  const seals = await verifyRunSeals({ runDirectory: layout.runDirectory, publicKeys, anchors, expected });
  const unaudited = unauditedStates(run);
  const source = await sourceDigestOf(manifest).catch(() => null);
  return {
    ...seals,
    runId: manifest.runId,
    attempts: records.length + unaudited.length + run.unreadable.length,
    unaudited,
    unsettled: [...records, ...unaudited].filter(({ status }) => !isTerminalStatus(status)).length,
    differences: [
      ...seals.differences.filter((one) => one.code !== 'unsigned' || !mayBeUnsigned(one, records, options)),
      ...(await documentDifferences(run)),
      ...(await derivedDifferences(run)),
      ...(await unauditedDifferences(run, options)),
    ],
    verdicts: records.flatMap((record) => verdictOf(record, source)),
    sourceDigest: source,
  };
}

function mayBeUnsigned(
  { file }: SealDifference,
  records: readonly DispatchRecord[],
  { requireSigned }: VerifyRunOptions,
): boolean {
  const open = records.filter(({ writeEnforcement }) => !isKeptFromKey(writeEnforcement));
  const stems = open.map(({ invocationRef, attempt }) => sealFileOf(sealKeyOf(invocationRef, attempt)).slice(0, -5));
  return !requireSigned && stems.some((stem) => file === `${stem}.json` || file.startsWith(`${stem}.superseded-`));
}

/** What no seal covers: documents that can't be read, and what they say of each other. */
async function documentDifferences(run: StoredRun): Promise<readonly RunDifference[]> {
  const { layout, manifest, records, unreadable } = run;
  const ofRecords = await Promise.all(records.map((record) => recordDifferences(run, record)));
  return [
    ...unreadable.map(({ path, error }) => ({
      code: RunDifferenceCode.recordUnreadable,
      file: relative(layout.runDirectory, path),
      message: error.message,
    })),
    ...(await taskDifferences(manifest)),
    ...ofRecords.flat(),
  ];
}

async function taskDifferences({
  taskPath,
  taskDigest,
  runDirectoryPath,
}: RunManifest): Promise<readonly RunDifference[]> {
  const found = await digestOfFile(taskPath).catch(() => undefined);
  return differs(RunDifferenceCode.taskDiffers, relative(runDirectoryPath, taskPath), { expected: taskDigest, found });
}

async function recordDifferences(run: StoredRun, record: DispatchRecord): Promise<readonly RunDifference[]> {
  return [
    ...identityDifferences(run, record),
    ...(await contractDifferences(run, record)),
    ...(record.evidence?.sealRef == null ? await artifactDifferences(run, record) : []),
  ];
}

function identityDifferences(run: StoredRun, record: DispatchRecord): readonly RunDifference[] {
  try {
    workerOfRecord(record, run.manifest);
    return [];
  } catch (error) {
    return [{ code: RunDifferenceCode.identityDiffers, file: recordFileOf(run, record), message: wordsOf(error) }];
  }
}

async function contractDifferences(run: StoredRun, record: DispatchRecord): Promise<readonly RunDifference[]> {
  const file = recordFileOf(run, record);
  const code = RunDifferenceCode.contractDiffers;
  try {
    const path = invocationPathOf(run.layout, record.invocationRef);
    const invocation = await readDocument(path, invocationCodec, { keepDamaged: false });
    if (invocation === undefined) return [{ code, file, message: `its invocation ${record.invocationRef} is gone` }];
    const found = loadContract(invocation, record.invocationRef).digest;
    return differs(code, file, { expected: record.writePolicyDigest, found });
  } catch (error) {
    return [{ code, file, message: wordsOf(error) }];
  }
}

/** A seal names its attempt's artifacts; of one without a seal the record alone does. */
async function artifactDifferences(
  { layout }: StoredRun,
  { result }: DispatchRecord,
): Promise<readonly RunDifference[]> {
  const found = await Promise.all(
    (result?.artifacts ?? []).map(async ({ copy, digest }) =>
      differs(RunDifferenceCode.artifactDiffers, copy, {
        expected: digest,
        found: await digestOfFile(join(layout.runDirectory, copy)).catch(() => undefined),
      }),
    ),
  );
  return found.flat();
}

function verdictOf(
  { role, dispatchId, result, sourceDigest }: DispatchRecord,
  now: string | null,
): readonly VerdictState[] {
  const verdict = result?.isTaken === true ? result.verdict : null;
  if (role !== 'verifier' || verdict === null) return [];
  const isKnown = sourceDigest !== null && now !== null;
  const state = !isKnown ? 'unknown' : sourceDigest === now ? 'current' : 'stale';
  return [{ dispatchId, verdict, sourceDigest, state }];
}

function differs(
  code: RunDifferenceCode,
  file: string,
  { expected, found }: { readonly expected: string; readonly found: string | undefined },
): readonly RunDifference[] {
  if (found === expected) return [];
  const message = found === undefined ? 'is gone or can’t be read' : 'has another digest than was stored';
  return [{ code, file, message, expected, ...(found === undefined ? {} : { found }) }];
}

function recordFileOf({ layout }: StoredRun, { dispatchId }: DispatchRecord): string {
  return relative(layout.runDirectory, recordPathOf(layout, dispatchId));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
