import { createInterface } from 'node:readline';
import { BackendError, type FailedStart, type LaunchOptions, type LaunchReport } from '@bailiwick/backend-contract';
import type { SupervisionOrder } from '@bailiwick/dispatch-state';
import { type LaunchLine, parseLaunchLine } from '@bailiwick/process-supervision';
import { orderText } from './order-text.ts';
import { endSupervisor, type RunningSupervisor } from './supervisor-program.ts';

/**
 * Gives a supervisor its order and listens until it has told of every job. Before "ready" nothing of the order runs:
 * a supervisor that doesn't get that far is ended, and BackendError LAUNCH_FAILED says why. Afterwards the workers are
 * the supervisor's: an abort ends the listening only, and a job that it never told of counts as failed to start.
 */
export async function launchOrder(
  order: SupervisionOrder,
  supervisor: RunningSupervisor,
  options: LaunchOptions & { readonly timeoutMs: number },
): Promise<LaunchReport> {
  try {
    options.signal?.throwIfAborted();
    supervisor.give(orderText(order));
    const heard = await listen(supervisor, options);
    if (!heard.lines.some(isReady)) {
      await endSupervisor(supervisor, longestGraceMs(order));
      options.signal?.throwIfAborted();
      throw launchFailed(order, heard, supervisor.complaint());
    }
    options.signal?.throwIfAborted();
    return reportOf(order, heard);
  } finally {
    supervisor.release();
  }
}

type ListenEnd = 'told' | 'closed' | 'silent' | 'aborted';

interface Heard {
  readonly lines: readonly LaunchLine[];
  readonly end: ListenEnd;
  readonly timeoutMs: number;
}

function listen(
  supervisor: RunningSupervisor,
  options: LaunchOptions & { readonly timeoutMs: number },
): Promise<Heard> {
  const { timeoutMs, signal } = options;
  const output = supervisor.child.stdout;
  const lines: LaunchLine[] = [];
  return new Promise((resolve) => {
    const finish = (end: ListenEnd): void => {
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
      resolve({ lines, end, timeoutMs });
    };
    const silence = setTimeout(() => finish('silent'), timeoutMs);
    const onAbort = (): void => finish('aborted');
    signal?.addEventListener('abort', onAbort);
    // One that was started earlier may have ended before anybody listened.
    void supervisor.ended.then(() => (output === null || output.destroyed) && finish('closed'));
    if (output === null) return;
    const reader = createInterface({ input: output });
    reader.on('close', () => finish('closed'));
    reader.on('line', (text) => {
      silence.refresh();
      const line = parseLaunchLine(text);
      if (line === undefined) return;
      lines.push(line);
      if (isReady(line)) options.onReady();
      if (line.kind === 'launched' || line.kind === 'refused') finish('told');
    });
  });
}

function isReady(line: LaunchLine): boolean {
  return line.kind === 'ready';
}

function reportOf(order: SupervisionOrder, heard: Heard): LaunchReport {
  const started = heard.lines.filter((line) => line.kind === 'started');
  const queued = heard.lines.filter((line) => line.kind === 'queued').map(({ dispatchId }) => dispatchId);
  const failed = heard.lines.filter((line) => line.kind === 'failed');
  const told = new Set<string>([...started, ...failed].map(({ dispatchId }) => dispatchId).concat(queued));
  return {
    started: started.map(({ dispatchId, process }) => ({ dispatchId, process })),
    queued,
    failed: [
      ...failed.map(({ dispatchId, reason }): FailedStart => ({ dispatchId, reason })),
      ...order.jobs
        .filter(({ dispatchId }) => !told.has(dispatchId))
        .map(
          ({ dispatchId }): FailedStart => ({ dispatchId, reason: `its supervisor never told of it: ${whyOf(heard)}` }),
        ),
    ],
  };
}

function launchFailed(order: SupervisionOrder, heard: Heard, complaint: string): BackendError {
  const refusal = heard.lines.find((line) => line.kind === 'refused');
  const why = refusal === undefined ? whyOf(heard) : `${refusal.reason} (${refusal.code})`;
  const said = complaint === '' ? '' : `; it printed: ${errorLineOf(complaint)}`;
  return new BackendError('LAUNCH_FAILED', `no supervisor came up for batch ${order.batchId}: ${why}${said}`, {
    hint: 'nothing of the order has run; correct the reason and dispatch again',
  });
}

/** Of a stack trace only the line that says what is wrong. */
function errorLineOf(complaint: string): string {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim();
}

function whyOf(heard: Heard): string {
  if (heard.end === 'silent') return `it said nothing for ${heard.timeoutMs} ms`;
  return heard.end === 'aborted' ? 'the launch was aborted' : 'it ended before it had told';
}

/** A supervisor that has started workers unheard stops them first. */
function longestGraceMs(order: SupervisionOrder): number {
  return Math.max(...order.jobs.map(({ limits }) => limits.graceMs)) + GRACE_MARGIN_MS;
}

const GRACE_MARGIN_MS = 5_000;
