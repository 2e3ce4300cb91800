import { basename, join } from 'node:path';
import type { AssignmentEnvironment, ModelPool } from '@bailiwick/assignment-resolution';
import {
  type Isolation,
  layoutOfRun,
  type RunLayout,
  type RunManifest,
  createRun as storeRun,
} from '@bailiwick/dispatch-state';
import { ensureFolder, writeTextFile } from '@bailiwick/durable-files';
import { newRunId, parseTaskKey, type RunId, type TaskKey } from '@bailiwick/execution-identity';
import { runWorktreePath } from '@bailiwick/write-policy';
import { RunError } from '../errors.ts';
import { limitsOf, type ProjectConfig } from '../project/config.ts';
import type { Project } from '../project/find-project.ts';
import { writePrompt } from '../prompts/write-prompt.ts';
import type { Task } from '../task/read-task.ts';
import { composeTeam } from './compose-team.ts';
import { saveRunContext } from './run-context.ts';
import { addWorktree, removeWorktree } from './worktree.ts';

/** All that a new run is made of. */
export interface RunRequest {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly task: Task;
  readonly pool: ModelPool;
  readonly environment: AssignmentEnvironment;
  /** Overrides the config's. */
  readonly isolation?: Isolation;
  /** What the run may cost, in US dollars; absent: what the config says whenever something is launched. */
  readonly maxCostUsd?: number;
  readonly now: Date;
}

/** A run that is on disk. */
export interface CreatedRun {
  readonly layout: RunLayout;
  readonly manifest: RunManifest;
}

/**
 * Makes a run: worktree where it has one of its own, copy of the task, manifest, and the prompts that need nothing but the task.
 * The manifest comes last of what a run needs: without it there is no run.
 */
export async function createRun(request: RunRequest): Promise<CreatedRun> {
  const manifest = draftManifest(request, newRunId(request.now));
  const layout = layoutOfRun(request.project.stateRoot, manifest.runId);
  await ensureFolder(layout.runDirectory, { mode: 0o700 });
  await writeTextFile(manifest.taskPath, request.task.text);
  if (manifest.worktree !== null) await addWorktree(request.project, manifest);
  await storeOrTakeBack(request.project, layout, manifest);
  const translationLanguage = request.config.team.translator?.language ?? null;
  const minimumModelSource = request.config.minimumModelSource ?? null;
  const { maxCostUsd } = request;
  const cost = maxCostUsd === undefined ? {} : { maxCostUsd };
  await saveRunContext(manifest, { schemaVersion: '1.0', translationLanguage, minimumModelSource, ...cost });
  await writeFirstPrompts(layout, manifest);
  return { layout, manifest };
}

/** A worktree without a run would be nobody's. */
async function storeOrTakeBack(project: Project, layout: RunLayout, manifest: RunManifest): Promise<void> {
  try {
    await storeRun(layout, manifest);
  } catch (error) {
    await removeWorktree(project, manifest);
    throw error;
  }
}

/** The manifest of a new run. Pure. */
export function draftManifest(request: RunRequest, runId: RunId): RunManifest {
  const { project, config, task } = request;
  const layout = layoutOfRun(project.stateRoot, runId);
  const isolation = isolationOf(request);
  const team = composeTeam(config, request.pool, request.environment);
  return {
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    runId,
    taskKey: taskKeyOf(project, task),
    createdAt: request.now.toISOString(),
    leadRuntime: request.environment.host.hostId,
    terminalBackend: request.environment.host.terminalBackend,
    runDirectoryPath: layout.runDirectory,
    activeRunContextPath: join(layout.runDirectory, 'run-context.json'),
    ...team,
    agentContract: { invocationReservationRootPath: layout.reservationsFolder },
    plan: { paths: task.plannedPaths },
    projectRoot: project.root,
    isolation,
    worktree: isolation === 'worktree' ? runWorktreePath({ projectRoot: project.root, runId }) : null,
    baseCommit: project.headCommit,
    branch: isolation === 'worktree' ? `bailiwick/${runId}` : null,
    taskPath: join(layout.runDirectory, 'task.md'),
    taskDigest: task.digest,
    limits: limitsOf(config),
    ignored: config.ignored ?? 'free',
    scratch: config.scratch ?? [],
    git: config.git ?? 'none',
  };
}

function isolationOf({ project, config, isolation }: RunRequest): Isolation {
  const wanted = isolation ?? config.isolation ?? 'tree';
  if (wanted === 'worktree' && project.headCommit === null)
    throw new RunError('NO_COMMIT', 'a worktree of its own needs a commit to start from, and there is none', {
      path: project.root,
      hint: 'make a first commit, or use --isolation tree',
    });
  return wanted;
}

function taskKeyOf(project: Project, task: Task): TaskKey {
  return parseTaskKey(
    [slug(basename(project.root)), 'task', slug(basename(task.path).replace(/\.md$/i, ''))].join('/'),
  );
}

function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'unnamed' : plain.slice(0, 60);
}

/** Prompts of the roles that work from the task and the tree; a report's is made when there is something to report. */
async function writeFirstPrompts(layout: RunLayout, manifest: RunManifest): Promise<void> {
  for (const execution of manifest.roleExecutions)
    if (execution.role !== 'report-writer' && execution.role !== 'translator')
      await writePrompt(layout, manifest, { execution, ordinal: 1, dossier: '' });
}
