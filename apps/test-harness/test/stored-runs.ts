import {
  createRun,
  environmentOf,
  findProject,
  loadConfig,
  type Project,
  poolOf,
  type RunSummary,
  readTask,
  selectRun,
  summariseRun,
  teamStatus,
} from '@bailiwick/run-workflow';
import type { TempProject } from '../src/index.ts';

// What the command line's `run create` and `run show` do, in the test's own process: a test whose subject is something else
// need not start a program for what comes before and after it.

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

/** Each project is a git repository: nothing of it is kept in the user's own folder. */
function projectAt(root: string): Promise<Project> {
  return findProject({ cwd: root, userStateFolder: '/nonexistent' });
}
