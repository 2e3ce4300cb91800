import { applyRun, discardRun, selectRun } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';

/** Takes a run's audited change into the project. */
export async function runApply(output: Output, flags: CommonFlags, named?: string): Promise<ExitCode> {
  const project = await projectOf(flags);
  const applied = await applyRun(await selectRun(project, named ?? flags.run, 'newest'));
  output.result<'run-apply'>(applied, () => [
    ...applied.applied.map((path) => `applied    ${path}`),
    ...applied.unchanged.map((path) => `unchanged  ${path}`),
  ]);
  return ExitCode.done;
}

/** Drops a run's worktree. */
export async function runDiscard(output: Output, flags: CommonFlags, named?: string): Promise<ExitCode> {
  const project = await projectOf(flags);
  const discarded = await discardRun(project, await selectRun(project, named ?? flags.run, 'newest'));
  output.result<'run-discard'>(discarded, () => [
    `dropped the worktree of ${discarded.runId}`,
    `kept ${discarded.kept.length} changed files at ${discarded.keptAt}`,
  ]);
  return ExitCode.done;
}
