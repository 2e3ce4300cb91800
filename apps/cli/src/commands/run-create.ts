import type { Isolation } from '@bailiwick/dispatch-state';
import { type CreatedRun, createRun, environmentOf, poolOf, readTask } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { type OpenedProject, openProject } from '../open-project.ts';
import type { Output } from '../output.ts';

/** Flags of `run create`. */
export interface CreateFlags extends CommonFlags {
  readonly isolation?: Isolation;
  readonly maxCost?: number;
}

/** Makes a run and prints its id and folder. */
export async function runCreate(output: Output, flags: CreateFlags, taskPath = ''): Promise<ExitCode> {
  const { manifest, layout } = await createFromTask(await openProject(flags), flags, taskPath);
  output.result<'run-create'>(
    {
      runId: manifest.runId,
      runDirectory: layout.runDirectory,
      workers: manifest.recommendedWorkers,
      worktree: manifest.worktree,
    },
    () => [manifest.runId, layout.runDirectory],
  );
  return ExitCode.done;
}

/** The run of a task file, in an opened project. */
export async function createFromTask(opened: OpenedProject, flags: CreateFlags, taskPath: string): Promise<CreatedRun> {
  const task = await readTask(process.cwd(), taskPath);
  return createRun({
    project: opened.project,
    config: opened.config,
    task,
    pool: poolOf(opened.config),
    environment: await environmentOf(opened.config, opened.surroundings),
    now: opened.surroundings.now(),
    ...(flags.isolation === undefined ? {} : { isolation: flags.isolation }),
    ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
  });
}
