import type { StopOutcome } from '@bailiwick/backend-contract';
import { type BackendKind, type DispatchRecord, readSidecar } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';
import { settleAborted } from '../observe/advance-batch.ts';
import { addressOf } from '../observe/attempt-address.ts';
import { mapSeveral } from '../several-at-once.ts';

/** How long workers of a broken-off round get to end politely. */
const ABORT_GRACE_MS = 2_000;

/**
 * Ends every worker of a round with its tree, settles each of its attempts as an error with the failure as the reason, and gives
 * the error to raise (BA-3). Attempts settled in earlier rounds keep theirs. Where a worker can't be shown to have ended, nothing
 * is compared or settled under it: the attempts stay open for `awaitRun`, and the error says so.
 */
export async function abortBatch(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  cause: unknown,
): Promise<DispatchError> {
  const reason = `the launch of the batch was broken off: ${wordsOf(cause)}`;
  const left = (await endWorkers(context, records, reason)) ?? (await settleRound(context, records, reason));
  return new DispatchError('BATCH_ABORTED', left === null ? reason : `${reason}; ${left}`, {
    names: records.map((record) => record.dispatchId),
    cause,
    hint:
      left === null
        ? '`bailiwick team status` shows how each attempt was settled'
        : '`bailiwick team await` settles what is left, as soon as it has ended',
  });
}

/** Null where everything of the round has ended; else which workers may live on, and why. */
async function endWorkers(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  by: string,
): Promise<string | null> {
  try {
    const outcomes = await Promise.all(
      [...Map.groupBy(records, (record) => record.backend)].map(([kind, group]) =>
        stopGroup(context, kind, { group, by }),
      ),
    );
    const alive = outcomes.flat().filter((outcome) => !outcome.isGone);
    return alive.length === 0 ? null : `not ended: ${alive.map((outcome) => outcome.dispatchId).join(', ')}`;
  } catch (error) {
    return `its workers could not be ended: ${wordsOf(error)}`;
  }
}

/** Null where every attempt of the round is settled; else what went wrong. */
async function settleRound(
  context: DispatchContext,
  records: readonly DispatchRecord[],
  reason: string,
): Promise<string | null> {
  try {
    await settleAborted(context, records, reason);
    return null;
  } catch (error) {
    return `it could not be settled: ${wordsOf(error)}`;
  }
}

async function stopGroup(
  context: DispatchContext,
  kind: BackendKind,
  { group, by }: { readonly group: readonly DispatchRecord[]; readonly by: string },
): Promise<readonly StopOutcome[]> {
  const addresses = await mapSeveral(group, async (record) =>
    addressOf(context, record, await readSidecar(record.statusSidecarPath)),
  );
  return (await context.backends.get(kind)?.stop(addresses, { by, graceMs: ABORT_GRACE_MS })) ?? [];
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
