import { damageOf, type RunSummary, selectRun, surveyRuns } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { damageLines } from '../render/damage-lines.ts';
import { runLines } from '../render/run-lines.ts';
import { table } from '../render/table.ts';
import { summaryOfStored } from '../summary-of.ts';

/** The runs of a project, oldest first. */
export async function runList(output: Output, flags: CommonFlags): Promise<ExitCode> {
  const survey = await surveyRuns(await projectOf(flags));
  const summaries = await Promise.all(survey.runs.map(summaryOfStored));
  const unreadable = [
    ...damageOf(survey.unreadable.map(({ error }) => ({ path: error.path ?? '', error }))),
    ...summaries.flatMap((summary) => summary.unreadable),
  ];
  output.result<'run-list'>({ runs: summaries.map(listed), unreadable }, () => [
    ...listLines(summaries, output.colors),
    ...damageLines(unreadable, output.colors),
  ]);
  return ExitCode.done;
}

/** What one run holds. */
export async function runShow(output: Output, flags: CommonFlags, named?: string): Promise<ExitCode> {
  const summary = await summaryOfStored(await selectRun(await projectOf(flags), named ?? flags.run, 'newest'));
  output.result<'run-show'>(summary, () => runLines(summary, output.colors));
  return ExitCode.done;
}

function listed({ runId, taskKey, createdAt, state, attempts, runDirectory }: RunSummary) {
  return { runId, taskKey, createdAt, state, attempts: attempts.length, runDirectory };
}

function listLines(summaries: readonly RunSummary[], colors: Output['colors']): readonly string[] {
  if (summaries.length === 0) return ['no runs yet: `bailiwick run start TASK.md` makes one'];
  const head = ['run', 'state', 'attempts', 'task'].map((word) => colors.dim(word));
  return table([head, ...summaries.map((row) => [row.runId, row.state, String(row.attempts.length), row.taskKey])]);
}
