import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DispatchContext, type DispatchPlan, type DryRunReport, dispatchBatch, dryRun } from '@bailiwick/dispatch';
import { type BackendKind, type DispatchRecord, refreshTeamState, requireRecord } from '@bailiwick/dispatch-state';
import { locateRun, planJobsFile, planRoster, settleOrInterrupt } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { type Interrupts, whileListening } from '../interrupts.ts';
import { openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';
import { table } from '../render/table.ts';

/** Flags of `team dispatch`. */
export interface DispatchFlags extends CommonFlags {
  readonly workers?: readonly string[];
  readonly jobs?: string;
  readonly backend: BackendKind;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly maxConcurrent?: number;
}

/** Starts workers; waiting for them is the same as `--no-wait` followed by `team await`. */
export async function teamDispatch(output: Output, flags: DispatchFlags): Promise<ExitCode> {
  return whileListening(output, async (interrupts) => {
    const opened = await openProject(flags);
    const run = await locateRun(opened.project, flags.run, 'only-unfinished');
    const context = await openStoredRun(opened, run, output, flags.maxConcurrent);
    if (flags.dryRun === true) return printDryRun(output, await tryDry(context, flags));
    return launch(output, context, { plan: await planOf(context, flags), flags, interrupts });
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
  const ended = o.flags.wait
    ? await settleOrInterrupt(context, {
        ...o.interrupts,
        launched: new Set([batchId]),
        ...(o.flags.timeout === undefined ? {} : { timeoutMs: o.flags.timeout }),
      })
    : 'launched';
  await refreshTeamState(context.layout, context.now().toISOString());
  const jobs = (await Promise.all(records.map((record) => latestOf(context, record)))).map(jobRow);
  output.result({ batchId, ended, jobs }, () => table(jobs.map((job) => [job.label, job.status, job.reason])));
  return exitCodeOf(ended, jobs);
}

/** The attempt that stands for a job now: a retry where one was made. */
async function latestOf(context: DispatchContext, record: DispatchRecord): Promise<DispatchRecord> {
  const current = await requireRecord(context.layout, record.dispatchId);
  return current.retry === null ? current : requireRecord(context.layout, current.retry.successor).catch(() => current);
}

function jobRow(record: DispatchRecord) {
  const code = record.status === 'completed' ? 0 : record.lifecycle === null ? null : record.lifecycle.exitCode || 1;
  return {
    dispatchId: record.dispatchId,
    label: record.executionLabel,
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
  output.result(report, () => [
    'nothing was changed; this would be dispatched:',
    ...table(report.jobs.map((job) => [job.workerId, job.modelRef ?? '', job.backend, job.dispatchId])),
    ...report.skipped.map((row) => `skipped ${row.workerId}: ${row.reason}`),
  ]);
  return ExitCode.done;
}
