import type { DispatchRecord } from '@bailiwick/dispatch-state';
import type { Digest } from '@bailiwick/durable-files';
import type { NamedDigest } from '../model.ts';
import type { Sealer } from '../seal/create-sealer.ts';
import { type AppendOptions, appendSeals, type SealReceipt, type SealRequest } from '../store/append-seal.ts';
import { attemptFileNames, digestFilesOnce } from './attempt-files.ts';
import { buildStatement } from './build-statement.ts';

/** What sealing a settled attempt needs. */
export interface AttemptToSeal {
  /** In its terminal form, as it is about to be written. */
  readonly record: DispatchRecord;
  /** The record's file in the run's folder, with the digest of the bytes that it will have (`digestToBeWritten`). */
  readonly recordFile: NamedDigest;
  /** Absolute paths of further files that the attempt stands on: the run's manifest, the invocation. */
  readonly further: readonly string[];
  /** Asked once; may reject, as where the key can't be had. */
  readonly sealer: () => Promise<Sealer>;
}

/** One of them, and where. */
export interface SettledAttempt extends AttemptToSeal, AppendOptions {
  readonly runDirectory: string;
}

/** A seal, or why there is none. */
export type SealOutcome =
  | { readonly kind: 'sealed'; readonly receipt: SealReceipt }
  | { readonly kind: 'unsealed'; readonly reason: string };

/**
 * Seals an attempt that was settled, durable when it resolves. Never rejects: a seal that can't be made must not lose the result (EV-3);
 * the reason belongs in the record.
 */
export async function sealSettledAttempt(attempt: SettledAttempt): Promise<SealOutcome> {
  const { runDirectory, now, lock, ...one } = attempt;
  const options = { ...(now && { now }), ...(lock && { lock }) };
  const [outcome] = await sealSettledAttempts(runDirectory, [one], options);
  return outcome ?? unsealed(undefined);
}

/**
 * As `sealSettledAttempt`, of several attempts of a run, each once in the list; the outcomes come in their order. A file that several
 * of them stand on is read once.
 */
export async function sealSettledAttempts(
  runDirectory: string,
  attempts: readonly AttemptToSeal[],
  options: AppendOptions = {},
): Promise<readonly SealOutcome[]> {
  const known = new Map<string, Promise<Digest | undefined>>();
  const prepared = await Promise.allSettled(attempts.map((attempt) => requestOf(attempt, { runDirectory, known })));
  const requests = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const outcomes = [...(await appendOrSayWhy(runDirectory, requests, options))];
  return prepared.map((one) => (one.status === 'rejected' ? unsealed(one.reason) : (outcomes.shift() ?? unsealed(''))));
}

async function requestOf(
  { record, recordFile, further, sealer }: AttemptToSeal,
  o: { readonly runDirectory: string; readonly known: Map<string, Promise<Digest | undefined>> },
): Promise<SealRequest> {
  const names = attemptFileNames(record, { runDirectory: o.runDirectory, further });
  const files = await digestFilesOnce(o.runDirectory, names, o.known);
  return { input: buildStatement(record, { recordFile, files }), sealer: await sealer() };
}

async function appendOrSayWhy(
  runDirectory: string,
  requests: readonly SealRequest[],
  options: AppendOptions,
): Promise<readonly SealOutcome[]> {
  if (requests.length === 0) return [];
  try {
    const appends = await appendSeals(runDirectory, requests, options);
    return appends.map((append) => (append.kind === 'sealed' ? append : unsealed(append.error)));
  } catch (error) {
    return requests.map(() => unsealed(error));
  }
}

function unsealed(error: unknown): SealOutcome {
  return { kind: 'unsealed', reason: error instanceof Error ? error.message : String(error) };
}
