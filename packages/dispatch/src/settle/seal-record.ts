import { relative } from 'node:path';
import { type AttemptToSeal, digestToBeWritten, sealSettledAttempts } from '@bailiwick/attempt-evidence';
import {
  type DispatchRecord,
  dispatchRecordCodec,
  type EvidenceOutcome,
  invocationPathOf,
  recordPathOf,
} from '@bailiwick/dispatch-state';
import { sealKeyOf } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';

/** How long a settlement waits for another one's seal; the result is settled without a seal rather than held up for longer. */
const SEAL_LOCK_TIMEOUT_MS = 10_000;

/** A record that is to be sealed and then written. */
export interface RecordToSeal {
  readonly record: DispatchRecord;
  /** Gives the record with what it is to say of its seal. */
  readonly terminalForm: (evidence: EvidenceOutcome) => DispatchRecord;
  /** Absolute paths of what was made in settling it. */
  readonly made: readonly string[];
}

/**
 * The terminal forms of records, sealed before they are written: a seal holds the digest of exactly the bytes that `writeRecord` will
 * write, and is durable when this returns. They come in the order of the records.
 *
 * A settlement that is cut off between seal and record is decided anew by whoever comes next, and its seal superseded. One that can't
 * be sealed says why, and keeps its result (EV-3). `refuse` gets the DurableFileError DOCUMENT_INVALID of an end that can't be; that
 * one is left out, and not sealed.
 */
export async function sealRecords(
  context: DispatchContext,
  records: readonly RecordToSeal[],
  refuse: (error: unknown) => void,
): Promise<readonly DispatchRecord[]> {
  const drafts = records.flatMap((one) => {
    try {
      return [{ ...one, attempt: attemptToSeal(context, one) }];
    } catch (error) {
      refuse(error);
      return [];
    }
  });
  const outcomes = await sealSettledAttempts(
    context.layout.runDirectory,
    drafts.map(({ attempt }) => attempt),
    { now: context.now, lock: { timeoutMs: SEAL_LOCK_TIMEOUT_MS } },
  );
  return drafts.map(({ attempt, terminalForm }, at) => {
    const outcome = outcomes[at];
    if (outcome?.kind === 'sealed') return attempt.record;
    return terminalForm({ sealRef: null, reason: outcome?.reason || 'sealing failed' });
  });
}

function attemptToSeal(
  { layout, sealer }: DispatchContext,
  { record, terminalForm, made }: RecordToSeal,
): AttemptToSeal {
  const { invocationRef, attempt, dispatchId } = record;
  const terminal = terminalForm({ sealRef: sealKeyOf(invocationRef, attempt), reason: null });
  const digest = digestToBeWritten(dispatchRecordCodec, terminal);
  return {
    record: terminal,
    recordFile: { name: relative(layout.runDirectory, recordPathOf(layout, dispatchId)), digest },
    further: [layout.manifestPath, invocationPathOf(layout, invocationRef), ...made],
    sealer: () => sealer(terminal),
  };
}
