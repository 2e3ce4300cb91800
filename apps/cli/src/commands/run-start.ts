import type { DispatchContext } from '@bailiwick/dispatch';
import { type BackendKind, liftStopIntent, listStopIntents, refreshTeamState } from '@bailiwick/dispatch-state';
import { type DriveResult, driveRun, type LocatedRun, locateRun, RunOutcome } from '@bailiwick/run-workflow';
import { reportOf } from '../error-report.ts';
import { ExitCode } from '../exit-code.ts';
import { type Interrupts, whileListening } from '../interrupts.ts';
import { type LimitFlags, type OpenedProject, openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';
import { runLines } from '../render/run-lines.ts';
import { summaryOf } from '../summary-of.ts';
import { type CreateFlags, createFromTask } from './run-create.ts';

/** Flags of `run start` and `run resume`. */
export interface StartFlags extends CreateFlags, LimitFlags {
  readonly backend: BackendKind;
  readonly liftStop?: boolean;
}

/** One command from a task to a verified, audited result. */
export async function runStart(output: Output, flags: StartFlags, taskPath = ''): Promise<ExitCode> {
  return whileListening(output, async (interrupts) => {
    const opened = await openProject(flags);
    const created = await createFromTask(opened, flags, taskPath);
    output.progress(`run ${created.manifest.runId}`);
    return drive(output, opened, { run: created, flags, interrupts, mayRecover: false });
  });
}

/** The same from wherever a run stands. */
export async function runResume(output: Output, flags: StartFlags, named?: string): Promise<ExitCode> {
  return whileListening(output, async (interrupts) => {
    const opened = await openProject(flags);
    const run = await locateRun(opened.project, named ?? flags.run, 'newest');
    if (flags.liftStop === true)
      for (const { workerId } of await listStopIntents(run.layout)) await liftStopIntent(run.layout, workerId);
    return drive(output, opened, { run, flags, interrupts, mayRecover: true });
  });
}

interface Drive {
  readonly run: LocatedRun;
  readonly flags: StartFlags;
  readonly interrupts: Interrupts;
  readonly mayRecover: boolean;
}

async function drive(output: Output, opened: OpenedProject, o: Drive): Promise<ExitCode> {
  const opening = await openStoredRun(opened, o.run, output, o.flags);
  let hasWorked = false;
  const onProgress: DispatchContext['onProgress'] = (progress) => {
    hasWorked = true;
    opening.onProgress(progress);
  };
  const ended = await driveToEnd({ ...opening, onProgress }, output, o);
  // Nothing was started or changed: the request was refused, and that is all there is to say.
  if ('error' in ended && !hasWorked) throw ended.error;
  await refreshTeamState(o.run.layout, opened.surroundings.now().toISOString());
  const summary = await summaryOf(opened.project, o.run.manifest.runId);
  if (!('error' in ended)) {
    output.result<'run-show'>(summary, () => runLines(summary, output.colors));
    return exitCodeOf(ended.result);
  }
  const report = reportOf(ended.error);
  output.partial<'run-show'>(summary, () => runLines(summary, output.colors), { report, cause: ended.error });
  return ExitCode.failed;
}

/** What broke the run off comes back beside what came of it until then. */
async function driveToEnd(
  context: DispatchContext,
  output: Output,
  { mayRecover, interrupts, flags }: Drive,
): Promise<{ readonly result: DriveResult } | { readonly error: unknown }> {
  try {
    const result = await driveRun(context, {
      backend: flags.backend,
      mayRecover,
      signal: interrupts.signal,
      hurry: interrupts.hurry,
      isDetached: interrupts.isDetached,
      onPhase: (phase, workers) => output.progress(`${phase}: ${workers.join(', ')}`),
    });
    return { result };
  } catch (error) {
    return { error };
  }
}

function exitCodeOf(result: DriveResult): ExitCode {
  if (result.kind !== 'ended') return ExitCode.interrupted;
  return result.outcome === RunOutcome.verified ? ExitCode.done : ExitCode.failed;
}
