import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DispatchContext,
  type DispatchPlan,
  type DryRunReport,
  dispatchBatch,
  dispatchUnaudited,
  dryRun,
  type UnauditedJob,
} from '@bailiwick/dispatch';
import {
  type BackendKind,
  type DispatchRecord,
  type RunCost,
  readRunCost,
  readUnaudited,
  refreshTeamState,
  requireRecord,
  type UnauditedRecord,
} from '@bailiwick/dispatch-state';
import type { BatchId } from '@bailiwick/execution-identity';
import {
  costWords,
  locateRun,
  planJobsFile,
  planRoster,
  planUnauditedFile,
  settleOrInterrupt,
} from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { type Interrupts, whileListening } from '../interrupts.ts';
import { type LimitFlags, openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';
import { table } from '../render/table.ts';

/** What stands for the audit of a v1 job. */
const UNAUDITED = 'unaudited' as const;

/** Flags of `team dispatch`. */
export interface DispatchFlags extends CommonFlags, LimitFlags {
  readonly workers?: readonly string[];
  readonly jobs?: string;
  readonly allowUnaudited?: boolean;
  readonly backend: BackendKind;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
}

/** Starts workers; waiting for them is the same as `--no-wait` followed by `team await`. */
export async function teamDispatch(output: Output, flags: DispatchFlags): Promise<ExitCode> {
  return whileListening(output, async (interrupts) => {
    const opened = await openProject(flags);
    const run = await locateRun(opened.project, flags.run, 'only-unfinished');
    const context = await openStoredRun(opened, run, output, flags);
    const unaudited = await unauditedOf(context, flags);
    if (unaudited !== undefined) return dispatchOld(output, context, { jobs: unaudited, flags, interrupts });
    if (flags.dryRun === true) return printDryRun(output, await tryDry(context, flags));
    return launch(output, context, { plan: await planOf(context, flags), flags, interrupts });
  });
}

/** v1 jobs of the jobs file, where a person allows them to go unaudited (ID-1); undefined where there are none. */
async function unauditedOf(
  context: DispatchContext,
  { jobs, allowUnaudited, backend }: DispatchFlags,
): Promise<readonly UnauditedJob[] | undefined> {
  if (jobs === undefined || allowUnaudited !== true) return undefined;
  return planUnauditedFile(context, { path: jobs, cwd: process.cwd(), backend });
}

async function dispatchOld(
  output: Output,
  context: DispatchContext,
  o: { readonly jobs: readonly UnauditedJob[]; readonly flags: DispatchFlags; readonly interrupts: Interrupts },
): Promise<ExitCode> {
  if (o.flags.dryRun === true) return printUnauditedDryRun(output, o.jobs);
  output.progress('unaudited: nobody will be able to tell what these workers change');
  const { batchId } = await dispatchUnaudited(context, o.jobs);
  const ended = await waitUnlessTold(context, batchId, o);
  const records = (await readUnaudited(context.layout)).filter((record) => record.batchId === batchId);
  const jobs = records.map((record) => ({ ...jobRow(record, record.workerId), audit: UNAUDITED }));
  const cost = await readRunCost(context.layout);
  output.result<'team-dispatch'>({ batchId, ended, jobs, cost }, () => [
    ...table(jobs.map((job) => [job.label, job.status, 'unaudited', job.reason])),
    ...costLines(cost),
  ]);
  return exitCodeOf(ended, jobs);
}

async function waitUnlessTold(
  context: DispatchContext,
  batchId: BatchId,
  { flags, interrupts }: { readonly flags: DispatchFlags; readonly interrupts: Interrupts },
) {
  if (!flags.wait) return 'launched';
  return settleOrInterrupt(context, {
    ...interrupts,
    launched: new Set([batchId]),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
  });
}

async function planOf(context: DispatchContext, flags: DispatchFlags, draftsFolder?: string): Promise<DispatchPlan> {
  if (flags.jobs !== undefined)
    return planJobsFile(context, { path: flags.jobs, cwd: process.cwd(), backend: flags.backend });
  return planRoster(context, { workers: flags.workers ?? [], backend: flags.backend, draftsFolder });
}

/** Prompts that a real dispatch would make are made outside the run, and taken away again. */
async function tryDry(context: DispatchContext, flags: DispatchFlags): Promise<DryRunReport> {
  const draftsFolder = await mkdtemp(join(tmpdir(), 'bailiwick-dry-run-'));
  try {
    return await dryRun(context, await planOf(context, flags, draftsFolder));
  } finally {
    await rm(draftsFolder, { recursive: true, force: true });
  }
}

async function launch(
  output: Output,
  context: DispatchContext,
  o: { readonly plan: DispatchPlan; readonly flags: DispatchFlags; readonly interrupts: Interrupts },
): Promise<ExitCode> {
  const { batchId, records } = await dispatchBatch(context, o.plan);
  const ended = await waitUnlessTold(context, batchId, o);
  await refreshTeamState(context.layout, context.now().toISOString());
  const jobs = (await Promise.all(records.map((record) => latestOf(context, record)))).map((record) =>
    jobRow(record, record.executionLabel),
  );
  const cost = await readRunCost(context.layout);
  output.result<'team-dispatch'>({ batchId, ended, jobs, cost }, () => [
    ...table(jobs.map((job) => [job.label, job.status, job.reason])),
    ...costLines(cost),
  ]);
  return exitCodeOf(ended, jobs);
}

function costLines(cost: RunCost): readonly string[] {
  const words = costWords(cost);
  return words === null ? [] : [`the run's cost: ${words}`];
}

/** The attempt that stands for a job now: a retry where one was made. */
async function latestOf(context: DispatchContext, record: DispatchRecord): Promise<DispatchRecord> {
  const current = await requireRecord(context.layout, record.dispatchId);
  return current.retry === null ? current : requireRecord(context.layout, current.retry.successor).catch(() => current);
}

function jobRow(record: DispatchRecord | UnauditedRecord, label: string) {
  const code = record.status === 'completed' ? 0 : record.lifecycle === null ? null : record.lifecycle.exitCode || 1;
  return {
    dispatchId: record.dispatchId,
    label,
    status: record.status,
    reason: record.reason,
    attempt: record.attempt,
    code,
  };
}

function exitCodeOf(ended: string, jobs: readonly { readonly status: string }[]): ExitCode {
  if (ended === 'interrupted') return ExitCode.interrupted;
  if (ended === 'timed-out') return ExitCode.timedOut;
  if (ended === 'launched' || ended === 'detached') return ExitCode.done;
  return jobs.every((job) => job.status === 'completed') ? ExitCode.done : ExitCode.failed;
}

function printDryRun(output: Output, report: DryRunReport): ExitCode {
  output.result<'team-dry-run'>(report, () => [
    'nothing was changed; this would be dispatched:',
    ...table(report.jobs.map((job) => [job.workerId, job.modelRef ?? '', job.backend, job.dispatchId])),
    ...report.skipped.map((row) => `skipped ${row.workerId}: ${row.reason}`),
  ]);
  return ExitCode.done;
}

function printUnauditedDryRun(output: Output, jobs: readonly UnauditedJob[]): ExitCode {
  const rows = jobs.map(({ dispatchId, workerId, roleExecution, backend, promptPath, completionPaths }) => ({
    dispatchId,
    workerId,
    audit: UNAUDITED,
    modelRef: roleExecution.modelRef,
    modelExecutionValue: roleExecution.binding?.resolvedExecutionValue ?? null,
    runner: roleExecution.binding?.runner ?? null,
    backend,
    promptPath,
    outputPaths: completionPaths,
  }));
  output.result<'team-dry-run'>({ jobs: rows, skipped: [] }, () => [
    'nothing was changed; this would be dispatched, unaudited:',
    ...table(rows.map((row) => [row.workerId, row.modelRef ?? '', row.backend, row.dispatchId])),
  ]);
  return ExitCode.done;
}
