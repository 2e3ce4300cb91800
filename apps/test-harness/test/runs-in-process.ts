import { dirname, join } from 'node:path';
import { createCliWrapperBackend } from '@bailiwick/backend-cli-wrapper';
import { awaitRun, type DispatchContext, dispatchBatch } from '@bailiwick/dispatch';
import { BackendKind } from '@bailiwick/dispatch-state';
import {
  createRun,
  environmentOf,
  findProject,
  loadConfig,
  openRun,
  type Project,
  planRoster,
  poolOf,
  type RunSummary,
  readTask,
  selectRun,
  summariseRun,
  teamStatus,
} from '@bailiwick/run-workflow';
import { builtCliPath, type TempProject } from '../src/index.ts';

// What the command line's `run create`, `run show`, `team dispatch` and `team await` do, in the test's own process: a test whose
// subject is something else need not start a program for what comes before and after it. Supervisors are those of the built one.

/** Makes a run from the project's task. */
export async function createdRun({
  root,
  environment,
}: TempProject): Promise<Pick<RunSummary, 'runId' | 'runDirectory'>> {
  const project = await projectAt(root);
  const config = await loadConfig(root);
  const { manifest, layout } = await createRun({
    project,
    config,
    task: await readTask(root, '../TASK.md'),
    pool: poolOf(config),
    environment: await environmentOf(config, { environment }),
    now: new Date(),
  });
  return { runId: manifest.runId, runDirectory: layout.runDirectory };
}

/** Starts workers of the newest run, and settles them unless told not to wait. */
export async function dispatched(
  made: TempProject,
  workers: readonly string[],
  { wait }: { readonly wait: boolean } = { wait: true },
): Promise<void> {
  const context = await openNewest(made);
  const plan = await planRoster(context, { workers, backend: BackendKind.cliWrapper });
  await dispatchBatch(context, plan);
  if (wait) await awaitRun(context, {});
}

/** Settles what runs of the newest run, until nothing does. */
export async function awaited(made: TempProject): Promise<void> {
  await awaitRun(await openNewest(made), {});
}

/** What is stored of the newest run, or of the one that is named. */
export async function storedRun({ root }: TempProject, runId?: string): Promise<RunSummary> {
  const stored = await selectRun(await projectAt(root), runId, 'newest');
  return summariseRun({ ...stored, reportPath: null });
}

/** Where each worker of the newest run stands, by its id: what `team status` tells. */
export async function storedStatuses({ root }: TempProject): Promise<Readonly<Record<string, string>>> {
  const { workers } = await teamStatus(await selectRun(await projectAt(root), undefined, 'newest'), new Date());
  return Object.fromEntries(workers.map(({ workerId, status }) => [workerId, status]));
}

async function openNewest({ root, environment }: TempProject): Promise<DispatchContext> {
  const [project, config] = [await projectAt(root), await loadConfig(root)];
  const { manifest } = await selectRun(project, undefined, 'newest');
  const supervisorPath = join(dirname(builtCliPath()), 'supervisor.js');
  const backend = createCliWrapperBackend({ supervisorPath, environment });
  const ownFolder = join(root, '..', 'state', 'bailiwick');
  const surroundings = {
    environment,
    runtimeFolder: environment['XDG_RUNTIME_DIR'] ?? null,
    backends: new Map([[backend.kind, backend]]),
    now: () => new Date(),
    keyFolder: join(ownFolder, 'keys'),
    attemptsFolder: join(ownFolder, 'attempts'),
  };
  return openRun({ project, config, runId: manifest.runId, surroundings });
}

/** Each project is a git repository: nothing of it is kept in the user's own folder. */
function projectAt(root: string): Promise<Project> {
  return findProject({ cwd: root, userStateFolder: '/nonexistent' });
}
