import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import {
  type AssignmentEnvironment,
  createModelPool,
  hostOf,
  type ModelPool,
  mergePool,
  shippedModelPool,
} from '@bailiwick/assignment-resolution';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import type { BoundarySetting, DispatchContext, Progress } from '@bailiwick/dispatch';
import { type BackendKind, layoutOfRun, loadManifest, type RunManifest } from '@bailiwick/dispatch-state';
import { ensureFolder } from '@bailiwick/durable-files';
import type { RunId } from '@bailiwick/execution-identity';
import { testBoundary, testLayer } from '@bailiwick/process-supervision';
import { loadRunContext } from './create/run-context.ts';
import { findInstallations } from './doctor/find-agents.ts';
import { sealerFor } from './evidence/sealer-for.ts';
import {
  commandsOf,
  configPathOf,
  DEFAULT_MAX_CONCURRENT,
  maxConcurrentByProviderOf,
  modelServersOf,
  type ProjectConfig,
} from './project/config.ts';
import type { Project } from './project/find-project.ts';
import { finishReport } from './summary/finish-report.ts';

/** A log is rotated at this size; one predecessor is kept. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** What the program that runs us knows of the machine; packages read no environment themselves. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  readonly runtimeFolder: string | null;
  readonly backends: ReadonlyMap<BackendKind, WorkerBackend>;
  readonly now: () => Date;
  /** Where the key pair lies that seals are signed with; absolute, outside every project (EV-3). */
  readonly keyFolder: string;
  /** Where confined attempts get a folder of their own; absolute, outside every project and temporary folder. */
  readonly attemptsFolder: string;
}

/** What a command may set for itself. */
export interface OpenRunOptions {
  readonly maxConcurrent?: number;
  /** US dollars; overrides what the run was started with, and that the config. */
  readonly maxCostUsd?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** The pool that a project's runs resolve models in: what ships, and the project's own additions. */
export function poolOf(config: ProjectConfig): ModelPool {
  return createModelPool(poolRowsOf(config));
}

/** The same as rows that nobody has judged yet. */
export function poolRowsOf(config: ProjectConfig): readonly unknown[] {
  return mergePool(shippedModelPool(), config.models ?? []);
}

/** Which host leads, and which agent programs are there. */
export async function environmentOf(
  config: ProjectConfig,
  surroundings: Pick<Surroundings, 'environment'>,
): Promise<AssignmentEnvironment> {
  return {
    host: hostOf({ leadRuntime: 'terminal', terminalBackend: 'none' }),
    providers: await findInstallations(commandsOf(config), surroundings.environment['PATH'] ?? ''),
  };
}

/** Everything that dispatching in a run needs, from what is on disk now. */
export async function openRun(
  o: {
    readonly project: Project;
    readonly config: ProjectConfig;
    readonly runId: RunId;
    readonly surroundings: Surroundings;
  },
  options: OpenRunOptions = {},
): Promise<DispatchContext> {
  const { project, config, surroundings } = o;
  const layout = layoutOfRun(project.stateRoot, o.runId);
  const manifest = await loadManifest(layout);
  const runContext = await loadRunContext(manifest);
  const maxCostUsd = options.maxCostUsd ?? runContext.maxCostUsd ?? config.maxCostUsd;
  return {
    layout,
    manifest,
    stateRoot: project.stateRoot,
    gitCommonDirectory: project.gitCommonDirectory,
    backends: surroundings.backends,
    pool: poolOf(config),
    environment: await environmentForRun(config, surroundings, manifest),
    commands: commandsOf(config),
    modelServers: modelServersOf(config),
    agentEnvironment: surroundings.environment,
    boundary: boundarySettingOf(config, surroundings),
    runtimeFolder: surroundings.runtimeFolder,
    maxConcurrent: options.maxConcurrent ?? config.maxConcurrent ?? DEFAULT_MAX_CONCURRENT,
    maxConcurrentByProvider: maxConcurrentByProviderOf(config),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    minimumModelSource: runContext.minimumModelSource,
    maxLogBytes: MAX_LOG_BYTES,
    guardedFiles: await existing([configPathOf(project.root)]),
    now: surroundings.now,
    sealer: sealerFor(manifest, surroundings.keyFolder),
    postProcess: (record, copy) => finishReport({ layout, manifest, record, reportCopyPath: copy }),
    onProgress: options.onProgress ?? (() => undefined),
  };
}

function boundarySettingOf(config: ProjectConfig, surroundings: Surroundings): BoundarySetting {
  const { environment, attemptsFolder, keyFolder } = surroundings;
  return {
    mode: config.boundary ?? 'auto',
    // What isn't there can't be hidden: the key of a later settlement would lie open to a worker that runs already.
    test: async () => {
      const tested = await testBoundary({ path: environment['PATH'] ?? '' });
      if (tested.kind === 'works') await ensureFolder(keyFolder, { mode: 0o700 });
      return tested;
    },
    testLayer: (question) => testLayer({ ...question, path: environment['PATH'] ?? '', attemptsFolder }),
    attemptsFolder,
    userHome: environment['HOME'] ?? homedir(),
    hidden: [keyFolder],
  };
}

/** Revalidation's environment comes from the manifest's own host (AR-4). */
async function environmentForRun(
  config: ProjectConfig,
  surroundings: Surroundings,
  { leadRuntime, terminalBackend }: RunManifest,
): Promise<AssignmentEnvironment> {
  return { ...(await environmentOf(config, surroundings)), host: hostOf({ leadRuntime, terminalBackend }) };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => found[index]);
}
