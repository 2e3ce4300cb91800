import { type AwaitReport, awaitRun, type DispatchContext } from '@bailiwick/dispatch';
import {
  type AttemptFacts,
  type DispatchRecord,
  readUnaudited,
  refreshTeamState,
  requireRecord,
  surveyAttempts,
  type UnauditedRecord,
} from '@bailiwick/dispatch-state';
import { damageOf, locateRun } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { errorFields, reportOf } from '../error-report.ts';
import { ExitCode } from '../exit-code.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';
import { damageLines } from '../render/damage-lines.ts';
import { table } from '../render/table.ts';

/** Flags of `team await`. */
export interface AwaitFlags extends CommonFlags {
  readonly timeout?: number;
  readonly maxCost?: number;
}

/** Settles what runs; an interrupt only detaches. */
export async function teamAwait(output: Output, flags: AwaitFlags): Promise<ExitCode> {
  const opened = await openProject(flags);
  const run = await locateRun(opened.project, flags.run, 'only-unfinished');
  const context = await openStoredRun(opened, run, output, flags);
  const before = await settledIn(context);
  const report = await waitFor(output, context, flags.timeout);
  await refreshTeamState(context.layout, context.now().toISOString());
  const { attempts, unreadable } = await surveyAttempts(context.layout);
  const settled = await recordsSince(context, { before, attempts });
  const unaudited = await unauditedSince(context, before);
  const damage = damageOf(unreadable);
  output.result<'team-await'>(
    { ...documentOf(report, settled), unaudited: unaudited.map(unauditedRow), unreadable: damage },
    () => [
      ...table(unaudited.map((record) => [`${record.workerId} (unaudited)`, record.status, record.reason])),
      ...linesOf(report, settled),
      ...damageLines(damage, output.colors),
    ],
  );
  const exitCode = exitCodeOf(report, [...settled, ...unaudited.map(({ status }) => ({ status, retry: null }))]);
  return exitCode === ExitCode.done && damage.length > 0 ? ExitCode.failed : exitCode;
}

/** Settled before this command, so none of its business. */
async function settledIn({ layout }: DispatchContext): Promise<ReadonlySet<string>> {
  const { attempts } = await surveyAttempts(layout);
  const unaudited = (await readUnaudited(layout)).filter(isSettled);
  return new Set([...attempts.filter(isSettled), ...unaudited].map(({ dispatchId }) => dispatchId));
}

async function unauditedSince(
  { layout }: DispatchContext,
  before: ReadonlySet<string>,
): Promise<readonly UnauditedRecord[]> {
  return (await readUnaudited(layout)).filter((record) => isSettled(record) && !before.has(record.dispatchId));
}

function unauditedRow({ dispatchId, workerId: label, status, reason, attempt, logPath }: UnauditedRecord) {
  return { dispatchId, label, status, reason, attempt, logPath, audit: 'unaudited' as const };
}

async function recordsSince(
  { layout }: DispatchContext,
  o: { readonly before: ReadonlySet<string>; readonly attempts: readonly AttemptFacts[] },
): Promise<readonly DispatchRecord[]> {
  const since = o.attempts.filter((attempt) => isSettled(attempt) && !o.before.has(attempt.dispatchId));
  return Promise.all(since.map(({ dispatchId }) => requireRecord(layout, dispatchId)));
}

function isSettled({ finishedAt }: Pick<AttemptFacts, 'finishedAt'>): boolean {
  return finishedAt !== null;
}

async function waitFor(output: Output, context: DispatchContext, timeoutMs: number | undefined): Promise<AwaitReport> {
  const interrupts = listenForInterrupts(() =>
    output.progress(`detached: workers go on; \`bailiwick team stop --run ${context.manifest.runId}\` ends them`),
  );
  try {
    return await awaitRun(context, { signal: interrupts.signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } finally {
    interrupts.close();
  }
}

function documentOf(report: AwaitReport, settled: readonly DispatchRecord[]) {
  return {
    ended: report.kind,
    settled: settled.map(rowOf),
    running: [
      ...report.running.map(({ dispatchId, executionLabel: label }) => ({ dispatchId, label })),
      ...(report.unaudited ?? []).map(({ dispatchId, workerId: label }) => ({ dispatchId, label })),
    ],
    failures: report.failures.map(({ batchId, error }) => ({ batchId, error: errorFields(reportOf(error)) })),
  };
}

function rowOf(record: DispatchRecord) {
  const { dispatchId, executionLabel: label, status, reason, attempt, logPath } = record;
  return { dispatchId, label, status, reason, attempt, logPath };
}

function linesOf(report: AwaitReport, settled: readonly DispatchRecord[]): readonly string[] {
  return [
    ...table(settled.map((record) => [record.executionLabel, record.status, record.reason])),
    ...report.running.map((record) => `still running: ${record.executionLabel} (${record.dispatchId})`),
    ...report.failures.map(
      ({ batchId, error }) => `could not be settled: ${batchId ?? 'an attempt'}: ${reportOf(error).message}`,
    ),
    ...(settled.length + report.running.length + report.failures.length === 0 ? ['nothing runs'] : []),
  ];
}

function exitCodeOf(report: AwaitReport, settled: readonly Pick<DispatchRecord, 'status' | 'retry'>[]): ExitCode {
  if (report.kind === 'timed-out') return ExitCode.timedOut;
  if (report.kind === 'detached') return ExitCode.interrupted;
  return report.failures.length === 0 &&
    settled.every((record) => record.status === 'completed' || record.retry !== null)
    ? ExitCode.done
    : ExitCode.failed;
}
