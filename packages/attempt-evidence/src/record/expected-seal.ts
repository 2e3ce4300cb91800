import type { DispatchRecord } from '@bailiwick/dispatch-state';
import { sealKeyOf } from '@bailiwick/execution-identity';
import type { AttemptFacts, NamedDigest } from '../model.ts';
import { artifactsOf, attemptFactsOf } from './attempt-facts.ts';

/** What a run's record leads a verifier to expect of its seals. */
export interface ExpectedSeal {
  readonly sealKey: string;
  /** The record's file, relative to the run's folder. */
  readonly recordFile: string;
  readonly isSettled: boolean;
  /** Why the record says that the attempt has no seal; null where it doesn't say so. */
  readonly unsealedReason: string | null;
  readonly attempt: AttemptFacts;
  readonly artifacts: readonly NamedDigest[];
}

/** The expectation that a record raises; pure. */
export function expectedSealOf(
  record: DispatchRecord,
  { recordFile, unsealedReason }: { readonly recordFile: string; readonly unsealedReason: string | null },
): ExpectedSeal {
  return {
    sealKey: sealKeyOf(record.invocationRef, record.attempt),
    recordFile,
    isSettled: record.finishedAt !== null,
    unsealedReason,
    attempt: attemptFactsOf(record),
    artifacts: artifactsOf(record),
  };
}
