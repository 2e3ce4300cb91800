import { resolve } from 'node:path';
import { saveReport, selectRun } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { ownVersion } from '../own-version.ts';

/** Flags of `run report`. */
export interface ReportFlags extends CommonFlags {
  readonly out?: string;
}

/** Writes a run as one HTML page, and says where. */
export async function runReport(output: Output, flags: ReportFlags, named?: string): Promise<ExitCode> {
  const run = await selectRun(await projectOf(flags), named ?? flags.run, 'newest');
  const saved = await saveReport(run, {
    path: flags.out === undefined ? undefined : resolve(flags.out),
    madeAt: new Date(),
    madeBy: `bailiwick ${ownVersion()}`,
  });
  output.result<'run-report'>({ runId: run.manifest.runId, ...saved }, () => [saved.path]);
  return ExitCode.done;
}
