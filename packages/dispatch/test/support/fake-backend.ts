import { rm } from 'node:fs/promises';
import type {
  AttemptAddress,
  LaunchReport,
  StopOptions,
  StopOutcome,
  WorkerBackend,
} from '@bailiwick/backend-contract';
import {
  type BackendKind,
  readSidecar,
  type StatusSidecar,
  type SupervisedJob,
  type SupervisionOrder,
  writeSidecar,
} from '@bailiwick/dispatch-state';
import { tryLock } from '@bailiwick/durable-files';
import { startingSidecar } from '@bailiwick/process-supervision';

/** What a worker does from its start to its end; what it returns is laid over the sidecar of a good end. */
export type Work = (job: SupervisedJob) => Promise<Partial<StatusSidecar>>;

/** Where a launch can break. */
type LaunchFault = 'before-ready' | 'after-ready' | 'half-started' | 'last-not-started';

export interface FakeBackendOptions {
  readonly kind?: BackendKind;
  readonly work?: Work;
  readonly fault?: LaunchFault;
  /** What `stop` finds; default: everything ends. */
  readonly stop?: 'ends' | 'nothing-ends' | 'throws';
}

/** A backend whose workers run within `launch`, so that everything that follows is decided by what is on disk. */
export interface FakeBackend extends WorkerBackend {
  readonly orders: readonly SupervisionOrder[];
  readonly stops: readonly { readonly attempts: readonly AttemptAddress[]; readonly options: StopOptions }[];
}

const PROCESS = { hostId: 'host', bootId: 'boot', pidNamespace: '', pid: 4_711, startTicks: '1' };

export function createFakeBackend(o: FakeBackendOptions = {}): FakeBackend {
  const orders: SupervisionOrder[] = [];
  const stops: FakeBackend['stops'][number][] = [];
  const work: Work = o.work ?? (async () => ({}));
  return {
    kind: o.kind ?? 'cli-wrapper',
    capabilities: {
      survivesCommand: 'absent',
      endsTree: 'native',
      visible: 'absent',
      pushesHints: 'absent',
      local: true,
    },
    orders,
    stops,
    async launch(order, { onReady }) {
      orders.push(order);
      if (o.fault === 'before-ready') throw new Error('no supervisor came up');
      const live = tryLock(order.liveLockPath);
      if (live === undefined) throw new Error('the live lock is held');
      try {
        onReady();
        if (o.fault === 'after-ready') throw new Error('the supervisor went away');
        return await runAll(order, work, o.fault);
      } finally {
        live.release();
      }
    },
    async probe() {
      return 'gone';
    },
    async observe() {
      // Without a socket there is nothing to hear.
    },
    async stop(attempts, options) {
      stops.push({ attempts, options });
      if (o.stop === 'throws') throw new Error('the supervisor does not answer');
      return attempts.map(
        (attempt): StopOutcome => ({
          dispatchId: attempt.dispatchId,
          isGone: o.stop !== 'nothing-ends',
          endProof: 'search',
          endedProcesses: attempt.process === null ? 0 : 1,
        }),
      );
    },
    async close() {
      // It holds nothing.
    },
  };
}

/** The end of a worker that said it was done. */
function goodEnd(job: SupervisedJob): StatusSidecar {
  return {
    ...startingSidecar({ dispatchId: job.dispatchId, supervisorVersion: '0.0.0', socketPath: null }, PROCESS),
    stage: 'exited',
    startedAt: '2026-11-29T16:18:01.000Z',
    updatedAt: '2026-11-29T16:18:02.000Z',
    exitCode: 0,
    endEvidence: 'positive',
    endProof: 'search',
  };
}

/** What a worker that still runs looks like to a reader. */
export function running(job: SupervisedJob): StatusSidecar {
  return { ...goodEnd(job), stage: 'running', exitCode: null, endEvidence: 'absent', endProof: 'unknown' };
}

async function runAll(order: SupervisionOrder, work: Work, fault: LaunchFault | undefined): Promise<LaunchReport> {
  const last = order.jobs.at(-1);
  const toStart = order.jobs.filter((job) => fault === undefined || job !== last);
  const started: { dispatchId: SupervisedJob['dispatchId']; process: typeof PROCESS }[] = [];
  for (const job of toStart) {
    await writeSidecar(job.sidecarPath, { ...goodEnd(job), ...(await work(job)) });
    started.push({ dispatchId: job.dispatchId, process: PROCESS });
  }
  if (fault === 'half-started') throw new Error('the supervisor died half-way');
  const failed = order.jobs.filter((job) => !toStart.includes(job));
  return { started, queued: [], failed: failed.map(({ dispatchId }) => ({ dispatchId, reason: 'no such program' })) };
}

/** Takes away what the supervisor of an attempt wrote, as if it had died before. */
export async function forgetSidecar(path: string): Promise<StatusSidecar | undefined> {
  const sidecar = await readSidecar(path);
  await rm(path, { force: true });
  return sidecar;
}
