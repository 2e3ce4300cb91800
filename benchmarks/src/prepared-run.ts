import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCliWrapperBackend } from '@bailiwick/backend-cli-wrapper';
import type { DispatchContext } from '@bailiwick/dispatch';
import {
  createRun,
  environmentOf,
  findProject,
  loadConfig,
  type OpenRunOptions,
  openRun,
  poolOf,
  readTask,
} from '@bailiwick/run-workflow';
import { builtCliPath, makeTempProject } from '@bailiwick/test-harness';

export const SUPERVISOR_PATH = join(builtCliPath(), '..', 'supervisor.js');

/** A run in a throw-away project, with so many verifiers to dispatch. */
export interface PreparedRun {
  readonly context: DispatchContext;
  /** Their ids, in the order of their seats. */
  readonly workers: readonly string[];
  /** Of its project. */
  readonly root: string;
  /** Beside the project, outside the tree that is audited. */
  readonly besideTree: string;
  remove(): Promise<void>;
}

/** What the workers of a run are. */
export interface RunOptions {
  readonly count: number;
  readonly model: string;
  /** Of the program of that model's provider; where files may be laid that no audit sees is handed in. */
  readonly command: (besideTree: string) => readonly string[];
  /** What the model pool gets besides what ships. */
  readonly models?: readonly unknown[];
  readonly onProgress?: OpenRunOptions['onProgress'];
  /** Of its supervisors' Node. */
  readonly nodeArguments?: readonly string[];
}

/** Makes the run in this process: every round of a benchmark starts from where a command would, with its modules loaded. */
export async function prepareRun({
  count,
  model,
  command,
  models = [],
  onProgress,
  nodeArguments = [],
}: RunOptions): Promise<PreparedRun> {
  const provider = model.slice(0, model.indexOf('/'));
  const team = { implementer: { model }, verifiers: Array.from({ length: count }, () => ({ model })) };
  const made = await makeTempProject({ content: 'tiny' });
  const besideTree = join(made.root, '..', 'beside');
  await mkdir(besideTree);
  const project = await findProject({ cwd: made.root, userStateFolder: made.home });
  const agents = { [provider]: { command: command(besideTree) } };
  const config = { ...(await loadConfig(project.root)), team, agents, models, maxConcurrent: count };
  const surroundings = surroundingsOf(made.home, made.environment, nodeArguments);
  const now = new Date();
  const environment = await environmentOf(config, surroundings);
  const task = await readTask(made.root, '../TASK.md');
  const { manifest } = await createRun({ project, config, task, pool: poolOf(config), environment, now });
  const opened = { project, config, runId: manifest.runId, surroundings };
  const context = await openRun(opened, onProgress === undefined ? {} : { onProgress });
  const workers = manifest.participants.map((row) => row.workerId).filter((id) => id.startsWith('verifier-'));
  return { context, workers, root: made.root, besideTree, remove: () => made.remove() };
}

function surroundingsOf(home: string, environment: Readonly<Record<string, string>>, nodeArguments: readonly string[]) {
  const backend = createCliWrapperBackend({ supervisorPath: SUPERVISOR_PATH, environment, nodeArguments });
  return {
    environment,
    // As the command line has one: without it every wait is a poll.
    runtimeFolder: join(home, '..', 'run'),
    backends: new Map([[backend.kind, backend]]),
    now: () => new Date(),
    keyFolder: join(home, 'keys'),
    attemptsFolder: join(home, 'attempts'),
  };
}
