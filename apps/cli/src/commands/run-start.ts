import { liftStopIntent, listStopIntents, refreshTeamState } from '@bailiwick/dispatch-state';
import { driveRun, type LocatedRun, locateRun, RunOutcome } from '@bailiwick/run-workflow';
import { ExitCode } from '../exit-code.ts';
import { type Interrupts, whileListening } from '../interrupts.ts';
import { type OpenedProject, openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';
import { runLines } from '../render/run-lines.ts';
import { summaryOf } from '../summary-of.ts';
import { type CreateFlags, createFromTask } from './run-create.ts';

/** Flags of `run start` and `run resume`. */
export interface StartFlags extends CreateFlags {
  readonly maxConcurrent?: number;
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
  const context = await openStoredRun(opened, o.run, output, o.flags.maxConcurrent);
  const result = await driveRun(context, {
    backend: 'cli-wrapper',
    mayRecover: o.mayRecover,
    signal: o.interrupts.signal,
    hurry: o.interrupts.hurry,
    isDetached: o.interrupts.isDetached,
    onPhase: (phase, workers) => output.progress(`${phase}: ${workers.join(', ')}`),
  });
  await refreshTeamState(o.run.layout, opened.surroundings.now().toISOString());
  const summary = await summaryOf(opened.project, o.run.manifest.runId);
  output.result(summary, () => runLines(summary, output.colors));
  if (result.kind !== 'ended') return ExitCode.interrupted;
  return result.outcome === RunOutcome.verified ? ExitCode.done : ExitCode.failed;
}
