import { userInfo } from 'node:os';
import { awaitRun, DispatchError, stopWorkers } from '@bailiwick/dispatch';
import { type RunManifest, refreshTeamState } from '@bailiwick/dispatch-state';
import type { WorkerId } from '@bailiwick/execution-identity';
import { locateRun } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { openProject, openStoredRun } from '../open-project.ts';
import type { Output } from '../output.ts';

/** What was ended settles at once; other batches of the run may go on for longer than anybody wants to wait here. */
const SETTLE_TIMEOUT_MS = 60_000;

/** Writes the durable stop, ends the workers with all they started, and settles them. */
export async function teamStop(
  output: Output,
  flags: CommonFlags & { readonly grace?: number },
  ...named: string[]
): Promise<ExitCode> {
  const opened = await openProject(flags);
  const run = await locateRun(opened.project, flags.run, 'only-unfinished');
  const context = await openStoredRun(opened, run, output);
  const outcomes = await stopWorkers(context, {
    workerIds: knownWorkers(run.manifest, named),
    by: `team stop by ${userInfo().username}`,
    graceMs: flags.grace ?? run.manifest.limits.graceMs,
  });
  const running = outcomes.filter((outcome) => !outcome.isGone);
  if (running.length === 0 && outcomes.length > 0) await awaitRun(context, { timeoutMs: SETTLE_TIMEOUT_MS });
  await refreshTeamState(context.layout, context.now().toISOString());
  output.result<'team-stop'>({ runId: run.manifest.runId, stopped: outcomes }, () => [
    `stopped ${outcomes.length} running workers of ${run.manifest.runId}; none starts again until \`run resume --lift-stop\``,
    ...running.map((outcome) => `could not be ended: ${outcome.dispatchId}`),
  ]);
  return running.length === 0 ? ExitCode.done : ExitCode.failed;
}

function knownWorkers(manifest: RunManifest, named: readonly string[]): readonly WorkerId[] {
  const ids = manifest.participants.map((row) => row.workerId);
  const unknown = named.filter((name) => !ids.some((id) => id === name));
  if (unknown.length > 0)
    throw new DispatchError('WORKER_UNKNOWN', `no such worker: ${unknown.join(', ')}`, {
      hint: `workers of this run: ${ids.join(', ')}`,
    });
  return ids.filter((id) => named.includes(id));
}
