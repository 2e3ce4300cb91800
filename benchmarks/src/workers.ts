import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCliWrapperBackend } from '@bailiwick/backend-cli-wrapper';
import { awaitRun, type DispatchContext, type DispatchPlan, dispatchBatch } from '@bailiwick/dispatch';
import {
  createRun,
  environmentOf,
  findProject,
  loadConfig,
  openRun,
  planRoster,
  poolOf,
  readTask,
} from '@bailiwick/run-workflow';
import { builtCliPath, makeTempProject } from '@bailiwick/test-harness';
import { execa } from 'execa';
import writeFileAtomic from 'write-file-atomic';
import type { Benchmark } from './measure.ts';

/** A program that does nothing: what is left is what dispatching costs. */
const NO_OP = '/bin/true';

/** A batch of no-op workers from the plan to their settled records, beside the least that would keep a record of each. */
function workersBenchmark(count: number, o: { readonly bar: number; readonly rounds: number }): Benchmark {
  return {
    name: `workers-${count}`,
    work: `${count} no-op workers of one batch, claimed, launched, audited, settled and sealed`,
    floorName: 'execa and two atomic writes for each, all at once',
    ...o,
    run: async (use) => {
      const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-'));
      const ours = await workersSide(count, o.rounds);
      try {
        return await use({ ours: ours.round, floor: () => plainly(count, folder) });
      } finally {
        await ours.end();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A batch of so many no-op workers for each round, prepared before anything is measured. */
export async function workersSide(count: number, rounds: number) {
  const prepared: Prepared[] = [];
  for (let round = -1; round < rounds; round += 1) prepared.push(await prepareBatch(count, [NO_OP]));
  return {
    round: () => dispatchAll(prepared.pop()),
    end: () => Promise.all(prepared.map((one) => one.remove())),
  };
}

export const WORKERS_32 = workersBenchmark(32, { bar: 1.6, rounds: 5 });
export const WORKERS_1000 = workersBenchmark(1_000, { bar: 1.6, rounds: 2 });

interface Prepared {
  readonly context: DispatchContext;
  readonly plan: DispatchPlan;
  /** Of its project. */
  readonly root: string;
  remove(): Promise<void>;
}

/** A run in a project of its own, with a seat for each worker and everybody's prompt written. */
export async function prepareBatch(
  count: number,
  command: readonly string[],
  nodeArguments: readonly string[] = [],
): Promise<Prepared> {
  const seat = { model: 'codex/gpt-5.5' };
  const team = { implementer: seat, verifiers: Array.from({ length: count }, () => seat) };
  const agents = { codex: { command } };
  const made = await makeTempProject({ content: 'tiny', config: { team, agents, maxConcurrent: count } });
  const project = await findProject({ cwd: made.root, userStateFolder: made.home });
  const config = await loadConfig(project.root);
  const surroundings = surroundingsOf(made.home, made.environment, nodeArguments);
  const now = new Date();
  const environment = await environmentOf(config, surroundings);
  const task = await readTask(made.root, '../TASK.md');
  const { manifest } = await createRun({ project, config, task, pool: poolOf(config), environment, now });
  const context = await openRun({ project, config, runId: manifest.runId, surroundings });
  const workers = manifest.participants.map((row) => row.workerId).filter((id) => id.startsWith('verifier-'));
  const plan = await planRoster(context, { workers, backend: 'cli-wrapper' });
  return { context, plan, root: made.root, remove: () => made.remove() };
}

function surroundingsOf(home: string, environment: Readonly<Record<string, string>>, nodeArguments: readonly string[]) {
  const supervisorPath = join(builtCliPath(), '..', 'supervisor.js');
  const backend = createCliWrapperBackend({ supervisorPath, environment, nodeArguments });
  return {
    environment,
    runtimeFolder: null,
    backends: new Map([[backend.kind, backend]]),
    now: () => new Date(),
    keyFolder: join(home, 'keys'),
    attemptsFolder: join(home, 'attempts'),
  };
}

async function dispatchAll(prepared: Prepared | undefined): Promise<void> {
  if (prepared === undefined) throw new Error('fewer runs were prepared than rounds are measured');
  await dispatchBatch(prepared.context, prepared.plan);
  await awaitRun(prepared.context);
  await prepared.remove();
}

async function plainly(count: number, folder: string): Promise<void> {
  const round = join(folder, String(performance.now()));
  await mkdir(round);
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const path = join(round, `${at}.json`);
      await writeFileAtomic(path, '{"status":"launching"}\n');
      await execa(NO_OP);
      await writeFileAtomic(path, '{"status":"completed"}\n');
    }),
  );
}
