import type { DispatchRecord } from '@bailiwick/dispatch-state';
import type { NamedDigest } from '../model.ts';
import type { Sealer } from '../seal/create-sealer.ts';
import { type AppendSealOptions, appendSeal, type SealReceipt } from '../store/append-seal.ts';
import { attemptFileNames, digestFiles } from './attempt-files.ts';
import { buildStatement } from './build-statement.ts';

/** What sealing a settled attempt needs. */
export interface SettledAttempt extends Omit<AppendSealOptions, 'sealer'> {
  readonly runDirectory: string;
  /** In its terminal form, as it is about to be written. */
  readonly record: DispatchRecord;
  /** The record's file in the run's folder, with the digest of the bytes that it will have (`digestToBeWritten`). */
  readonly recordFile: NamedDigest;
  /** Absolute paths of further files that the attempt stands on: the run's manifest, the invocation. */
  readonly further: readonly string[];
  /** Asked once; may reject, as where the key can't be had. */
  readonly sealer: () => Promise<Sealer>;
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
  const { runDirectory, record, recordFile, further, sealer, ...options } = attempt;
  try {
    const files = await digestFiles(runDirectory, attemptFileNames(record, { runDirectory, further }));
    const input = buildStatement(record, { recordFile, files });
    return { kind: 'sealed', receipt: await appendSeal(runDirectory, input, { ...options, sealer: await sealer() }) };
  } catch (error) {
    return { kind: 'unsealed', reason: error instanceof Error ? error.message : String(error) };
  }
}
