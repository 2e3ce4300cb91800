import { setTimeout as wait } from 'node:timers/promises';
import {
  readRun,
  type StoredRun,
  selectRun,
  shortDuration,
  type TeamStatus,
  teamStatus,
} from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { damageLines } from '../render/damage-lines.ts';
import { table } from '../render/table.ts';

const WATCH_EVERY_MS = 1_000;

/** Where each worker stands; with `--watch` again and again until nothing runs. */
export async function teamStatusCommand(
  output: Output,
  flags: CommonFlags & { readonly watch?: boolean },
): Promise<ExitCode> {
  const project = await projectOf(flags);
  let run: StoredRun = await selectRun(project, flags.run, 'newest');
  for (;;) {
    const status = await teamStatus(run, new Date());
    output.result<'team-status'>(status, () => statusLines(status, output.colors));
    if (flags.watch !== true || hasEnded(run)) return ExitCode.done;
    await wait(WATCH_EVERY_MS);
    run = await readRun(project, run.manifest.runId);
  }
}

function hasEnded({ records, unaudited = [] }: StoredRun): boolean {
  return [...records, ...unaudited].every((record) => record.finishedAt !== null);
}

function statusLines(status: TeamStatus, colors: Output['colors']): readonly string[] {
  const head = (words: readonly string[]) => words.map((word) => colors.dim(word));
  return [
    colors.bold(status.runId),
    '',
    ...table([
      head(['worker', 'status', 'model', 'why']),
      ...status.workers.map((row) => [row.workerId, row.status, row.modelExecutionValue ?? '', row.reason]),
    ]),
    '',
    ...table([
      head(['attempt', 'of', 'status', 'age', 'last line']),
      ...status.attempts.map((row) => [
        String(row.attempt),
        row.label,
        row.status,
        shortDuration(row.ageMs),
        row.lastLine,
      ]),
    ]),
    ...damageLines(status.unreadable, colors),
  ];
}
