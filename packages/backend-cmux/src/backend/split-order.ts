import { createHash } from 'node:crypto';
import type { SupervisedJob, SupervisionOrder } from '@bailiwick/dispatch-state';
import { MAX_SOCKET_PATH_BYTES } from '@bailiwick/process-supervision';

/** The part of an order that runs in one pane: at most one of its jobs at a time. */
export interface PaneShare {
  readonly order: SupervisionOrder;
  readonly first: SupervisedJob;
}

/**
 * Deals the jobs out to as many panes as may run at once, those of a provider to no more panes than its own limit; further jobs follow
 * in the pane of an earlier one. Each share has a live lock and a socket of its own, named after its first attempt: a retry's is another one.
 */
export function shareOut(order: SupervisionOrder): readonly PaneShare[] {
  return deal(order).flatMap((jobs) => {
    const [first] = jobs;
    return first === undefined ? [] : [{ first, order: shareOf(order, jobs, first) }];
  });
}

function deal({ jobs, maxConcurrent, providerLimits = [] }: SupervisionOrder): readonly Share[] {
  const shares: readonly SupervisedJob[][] = Array.from({ length: Math.min(jobs.length, maxConcurrent) }, () => []);
  for (const job of jobs) {
    const own = shares.filter((share) => share.some(({ provider }) => provider === job.provider));
    const limit = providerLimits.find(({ provider }) => provider === job.provider)?.maxConcurrent;
    const isFull = limit !== undefined && own.length >= limit;
    shortest(isFull ? own : shares)?.push(job);
  }
  return shares;
}

type Share = readonly SupervisedJob[];

/** The first of the shortest. */
function shortest<T extends Share>(shares: readonly T[]): T | undefined {
  return shares.reduce<T | undefined>(
    (best, share) => (best === undefined || share.length < best.length ? share : best),
    undefined,
  );
}

function shareOf(order: SupervisionOrder, jobs: readonly SupervisedJob[], first: SupervisedJob): SupervisionOrder {
  const mark = createHash('sha256').update(first.dispatchId).digest('base64url').slice(0, MARK_CHARACTERS);
  return {
    ...order,
    jobs,
    maxConcurrent: 1,
    liveLockPath: `${order.liveLockPath}-${mark}`,
    socketPath: order.socketPath === null ? null : socketBeside(order.socketPath, mark),
  };
}

const MARK_CHARACTERS = 10;

/** Null where the name gets too long for a socket: its listeners poll then. */
function socketBeside(path: string, mark: string): string | null {
  const beside = path.replace(/(?:\.sock)?$/, `-${mark}.sock`);
  return Buffer.byteLength(beside) < MAX_SOCKET_PATH_BYTES ? beside : null;
}
