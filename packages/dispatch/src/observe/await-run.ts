import { createRecordMemory, type DispatchRecord, type UnauditedRecord } from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import type { DispatchContext } from '../context.ts';
import { launchRetries } from '../retry/launch-retries.ts';
import { advanceUnaudited, finishUnaudited } from '../unaudited/advance-unaudited.ts';
import { advanceBatch, isOwned } from './advance-batch.ts';
import type { ObservedAttempt } from './decide-batch.ts';
import { createHints, type Hints, POLL_EVERY_MS } from './hints.ts';
import { type OpenBatches, readOpenBatches } from './read-open-batches.ts';

/** How long to wait, and for what. */
export interface AwaitOptions {
  /** Absent: until nothing runs. */
  readonly timeoutMs?: number;
  /** Aborting it only stops the waiting: what runs goes on. */
  readonly signal?: AbortSignal;
  /** Looks at these batches only; absent: at every batch of the run. */
  readonly batchIds?: ReadonlySet<BatchId>;
}

/** How waiting ended; `running` is what goes on without us. */
export interface AwaitReport {
  readonly kind: 'settled' | 'timed-out' | 'detached';
  readonly running: readonly DispatchRecord[];
  /** v1 jobs that go on without us; absent where there are none. */
  readonly unaudited?: readonly UnauditedRecord[];
  /** What could not be settled, and why; the others were (AW-3). */
  readonly failures: readonly {
    /** Null where a record can't be read, so that its batch isn't known. */
    readonly batchId: BatchId | null;
    readonly error: unknown;
  }[];
}

type Batches = ReadonlyMap<BatchId, readonly ObservedAttempt[]>;

/**
 * Settles every open attempt of the run, whoever started it, v1 jobs included, and launches what retries they owe, until nothing is open
 * (AW-1…3).
 *
 * A1 Works from what is on disk alone: the process that dispatched may be dead.
 * A2 Any number of these at once settle, retry and launch each attempt once: locks decide, records are the claim (AW-5).
 * A3 A batch that can't be settled doesn't hold up another.
 */
export async function awaitRun(context: DispatchContext, options: AwaitOptions = {}): Promise<AwaitReport> {
  const signal = options.signal ?? new AbortController().signal;
  const deadlineMs = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.timeoutMs;
  const hints = createHints(context);
  const memory = createRecordMemory();
  const failures = new Map<BatchId, unknown>();
  try {
    await finishUnaudited(context);
    for (;;) {
      const open = await readOpenBatches(context, memory);
      const batches = wanted(open.batches, options.batchIds, failures);
      const unaudited = await advanceUnaudited(context, options.batchIds);
      const found = () => ({
        batches,
        unaudited: unaudited.open,
        failures: [...asFailures(failures), ...open.unreadable],
      });
      if (unaudited.hasAdvanced) continue;
      if (batches.size + unaudited.open.length === 0) return report('settled', found());
      if (await advanceAll(context, { batches, failures, hasUnknown: hasUnknownBatch(open) })) continue;
      if (signal.aborted) return report('detached', found());
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return report('timed-out', found());
      await waitForNews(hints, batches, { timeoutMs: Math.min(POLL_EVERY_MS, leftMs), signal });
    }
  } finally {
    hints.close();
  }
}

/** A record that can't be read may be of any batch: one whose owner lives could have a worker that we don't see. */
function hasUnknownBatch({ unreadable }: OpenBatches): boolean {
  return unreadable.some(({ batchId }) => batchId === null);
}

async function advanceAll(
  context: DispatchContext,
  o: { readonly batches: Batches; readonly failures: Map<BatchId, unknown>; readonly hasUnknown: boolean },
): Promise<boolean> {
  const { batches, failures, hasUnknown } = o;
  let hasAdvanced = false;
  for (const [batchId, attempts] of batches) {
    if (hasUnknown && isOwned(context, batchId)) continue;
    try {
      if (await advanceOne(context, batchId, attempts)) hasAdvanced = true;
    } catch (error) {
      failures.set(batchId, error);
    }
  }
  return hasAdvanced;
}

async function advanceOne(
  context: DispatchContext,
  batchId: BatchId,
  attempts: readonly ObservedAttempt[],
): Promise<boolean> {
  if (await launchRetries(context, batchId, attempts)) return true;
  return (await advanceBatch(context, batchId, attempts)) === 'advanced';
}

async function waitForNews(
  hints: Hints,
  batches: Batches,
  o: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  hints.follow(batches);
  await hints.next(o.timeoutMs, o.signal);
}

function wanted(
  batches: Batches,
  batchIds: ReadonlySet<BatchId> | undefined,
  failures: ReadonlyMap<BatchId, unknown>,
): Batches {
  return new Map([...batches].filter(([batchId]) => !failures.has(batchId) && (batchIds?.has(batchId) ?? true)));
}

function asFailures(failures: ReadonlyMap<BatchId, unknown>): AwaitReport['failures'] {
  return [...failures].map(([batchId, error]) => ({ batchId, error }));
}

function report(
  kind: AwaitReport['kind'],
  found: {
    readonly batches: Batches;
    readonly unaudited: readonly UnauditedRecord[];
    readonly failures: AwaitReport['failures'];
  },
): AwaitReport {
  const { batches, unaudited, failures } = found;
  const running = [...batches.values()].flat().map(({ record }) => record);
  return { kind, running, ...(unaudited.length === 0 ? {} : { unaudited }), failures };
}
