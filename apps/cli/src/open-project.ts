import type { DispatchContext } from '@bailiwick/dispatch';
import {
  loadConfig,
  openRun,
  type Project,
  type ProjectConfig,
  type StoredRun,
  type Surroundings,
} from '@bailiwick/run-workflow';
import { relayProgress } from './cmux.ts';
import type { CommonFlags } from './common-flags.ts';
import { projectOf } from './find-project.ts';
import type { Output } from './output.ts';
import { progressLine } from './render/progress-line.ts';
import { surroundingsOfProcess } from './surroundings.ts';

/** A project with its config, on this machine. */
export interface OpenedProject {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly surroundings: Surroundings;
}

/** The project that the flags mean, with its config; throws as `findProject` and `loadConfig`. */
export async function openProject(flags: CommonFlags): Promise<OpenedProject> {
  const project = await projectOf(flags);
  return {
    project,
    config: await loadConfig(project.root),
    surroundings: surroundingsOfProcess({ mayOpenWorkspace: flags.ownWorkspace === true }),
  };
}

/** What flags may hold a run's workers to. */
export interface LimitFlags {
  readonly maxConcurrent?: number;
  readonly maxCost?: number;
}

/** Everything that dispatching in a run needs, with progress told on stderr. */
export async function openStoredRun(
  opened: OpenedProject,
  run: Pick<StoredRun, 'manifest'>,
  output: Output,
  { maxConcurrent, maxCost }: LimitFlags = {},
): Promise<DispatchContext> {
  return openRun(
    { ...opened, runId: run.manifest.runId },
    {
      onProgress: (progress) => {
        output.progress(progressLine(progress));
        relayProgress(progress);
      },
      ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
      ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
    },
  );
}
