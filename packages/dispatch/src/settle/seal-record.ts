import { relative } from 'node:path';
import { digestToBeWritten, sealSettledAttempt } from '@bailiwick/attempt-evidence';
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

/**
 * The terminal form of a record, sealed before it is written: the seal holds the digest of exactly the bytes that `writeRecord` will
 * write, and is durable when this returns. `terminalForm` gives the record with what it is to say of its seal.
 *
 * A settlement that is cut off between seal and record is decided anew by whoever comes next, and its seal superseded. One that can't
 * be sealed says why, and keeps its result (EV-3). Throws DurableFileError DOCUMENT_INVALID for an end that can't be; nothing is sealed.
 */
export async function sealRecord(
  context: DispatchContext,
  terminalForm: (evidence: EvidenceOutcome) => DispatchRecord,
  { invocationRef, attempt }: Pick<DispatchRecord, 'invocationRef' | 'attempt'>,
): Promise<DispatchRecord> {
  const { layout, now } = context;
  const record = terminalForm({ sealRef: sealKeyOf(invocationRef, attempt), reason: null });
  const digest = digestToBeWritten(dispatchRecordCodec, record);
  const outcome = await sealSettledAttempt({
    runDirectory: layout.runDirectory,
    record,
    recordFile: { name: relative(layout.runDirectory, recordPathOf(layout, record.dispatchId)), digest },
    further: [layout.manifestPath, invocationPathOf(layout, invocationRef)],
    sealer: () => context.sealer(record),
    now,
    lock: { timeoutMs: SEAL_LOCK_TIMEOUT_MS },
  });
  return outcome.kind === 'sealed'
    ? record
    : terminalForm({ sealRef: null, reason: outcome.reason || 'sealing failed' });
}
