import { type DispatchRecord, readSidecar } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { settleAborted } from '../observe/advance-batch.ts';
import { addressOf } from '../observe/attempt-address.ts';

/** How long workers of a broken-off round get to end politely. */
const ABORT_GRACE_MS = 2_000;

/**
 * Ends every worker of a round with its tree, settles each of its attempts as an error with the failure as the reason, and gives
 * the error to raise (BA-3). Attempts settled in earlier rounds keep theirs.
 */
export async function abortBatch(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  cause: unknown,
): Promise<DispatchError> {
  const reason = `the launch of the batch was broken off: ${cause instanceof Error ? cause.message : String(cause)}`;
  await endWorkers(context, records, reason);
  await settleAborted(context, records, reason);
  return new DispatchError('BATCH_ABORTED', reason, {
    names: records.map((record) => record.dispatchId),
    cause,
    hint: '`bailiwick team status` shows how each attempt was settled',
  });
}

async function endWorkers(context: DispatchContext, records: readonly DispatchRecord[], by: string): Promise<void> {
  for (const [kind, group] of Map.groupBy(records, (record) => record.backend)) {
    const addresses = await Promise.all(
      group.map(async (record) => addressOf(context, record, await readSidecar(record.statusSidecarPath))),
    );
    await context.backends.get(kind)?.stop(addresses, { by, graceMs: ABORT_GRACE_MS });
  }
}
