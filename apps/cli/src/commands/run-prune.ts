import { type PrunedRun, pruneRuns } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { byteCount, table } from '../render/table.ts';

/** Flags of `run prune`. */
export interface PruneFlags extends CommonFlags {
  readonly olderThan?: number;
  readonly yes?: boolean;
}

/** Says what may go, and takes it away with `--yes`; what is unapplied or alive stays. */
export async function runPrune(output: Output, flags: PruneFlags, ...named: string[]): Promise<ExitCode> {
  const removes = flags.yes === true;
  const runs = await pruneRuns(await projectOf(flags), {
    named: named.length === 0 && flags.run !== undefined ? [flags.run] : named,
    olderThanMs: flags.olderThan ?? 0,
    now: new Date(),
    removes,
  });
  const bytes = sum(runs.filter(({ fate }) => fate !== 'stays'));
  output.result<'run-prune'>({ isDryRun: !removes, bytes, runs }, () => [
    ...table(runs.map((run) => [run.runId, wordOf(run), byteCount(run.bytes), run.reason])),
    removes
      ? `${byteCount(bytes)} were freed`
      : `${byteCount(bytes)} may go; nothing was changed: \`--yes\` takes them away`,
  ]);
  return ExitCode.done;
}

function wordOf({ fate }: PrunedRun): string {
  return fate === 'may-go' ? 'may go' : fate;
}

function sum(runs: readonly PrunedRun[]): number {
  return runs.reduce((total, { bytes }) => total + bytes, 0);
}
